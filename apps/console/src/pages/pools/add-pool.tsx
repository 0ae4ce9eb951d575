import { api } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { dataOf, poolsQuery } from '../../api/queries.ts';
import type { Pool } from '../../api/resources.ts';
import { TextField } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useToast } from '../../components/toasts.tsx';
import { texts } from '../../text/english.ts';

interface AddPoolProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The pools there are: the call that adds one would also change one of the same id. */
  readonly known: readonly Pool[];
}

/** Adds a pool. */
export function AddPool({ isOpen, onClose, known }: AddPoolProps) {
  const toast = useToast();
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={texts.pools.add}
      initialDraft={{ id: '', name: '' }}
      submit={async ({ id, name }) => {
        if (known.some((pool) => pool.id === id)) {
          throw new ApiProblem({ status: 409, code: 'pool_exists', message: texts.pools.exists });
        }
        await dataOf(api.PUT('/v1/admin/pools/{pool}', { params: { path: { pool: id } }, body: { name } }));
        toast(texts.pools.added);
      }}
      queryKey={poolsQuery.queryKey}
    >
      {({ draft, change }) => (
        <>
          <TextField
            label={texts.pools.id}
            hint={texts.pools.idHint}
            value={draft.id}
            onChange={(id) => change({ id })}
            required
            maxLength={128}
          />
          <TextField
            label={texts.fields.name}
            value={draft.name}
            onChange={(name) => change({ name })}
            required
            maxLength={200}
          />
        </>
      )}
    </FormDialog>
  );
}
