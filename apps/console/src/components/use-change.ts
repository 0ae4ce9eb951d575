import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useToast } from './toasts.tsx';

export interface ChangeOptions<Result, Input> {
  readonly change: (input: Input) => Promise<Result>;
  /** The queries to refresh afterwards; all by default. */
  readonly queryKey?: QueryKey;
  /** The toast on success. */
  readonly done?: string | ((result: Result) => string);
}

/** A mutation that refreshes queries and shows a toast on success. */
export function useChange<Result, Input = void>({ change, queryKey, done }: ChangeOptions<Result, Input>) {
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    networkMode: 'always',
    mutationFn: change,
    async onSuccess(result) {
      await queries.invalidateQueries(queryKey === undefined ? {} : { queryKey });
      if (done !== undefined) toast(typeof done === 'string' ? done : done(result));
    },
  });
}
