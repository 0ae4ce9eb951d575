import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useToast } from './toasts.tsx';

interface ChangeOptions<Result, Input> {
  readonly change: (input: Input) => Promise<Result>;
  /** The queries to read again afterwards; without it, all that is shown. */
  readonly queryKey?: QueryKey;
  /** Said when it is done. */
  readonly done: string | ((result: Result) => string);
}

/** A change of something that is shown: it is read again, and a toast says that it is done. */
export function useChange<Result, Input = void>({ change, queryKey, done }: ChangeOptions<Result, Input>) {
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: change,
    async onSuccess(result) {
      await queries.invalidateQueries(queryKey === undefined ? {} : { queryKey });
      toast(typeof done === 'string' ? done : done(result));
    },
  });
}
