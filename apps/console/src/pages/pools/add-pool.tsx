import { call } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { poolsQuery } from '../../api/queries.ts';
import type { Pool } from '../../api/resources.ts';
import { TextField } from '../../components/field.tsx';
import { FormButton } from '../../components/form-dialog.tsx';
import { texts } from '../../text/english.ts';

/**
 * Adds a pool.
 *
 * @param known - the existing pools; the PUT that adds one would overwrite a pool with the same id
 */
export function AddPool({ known }: { readonly known: readonly Pool[] }) {
  return (
    <FormButton
      look="primary"
      title={texts.pools.add}
      initialDraft={{ id: '', name: '' }}
      submit={async ({ id, name }) => {
        if (known.some((pool) => pool.id === id)) {
          throw new ApiProblem({ status: 409, code: 'pool_exists', message: texts.pools.exists });
        }
        await call('PUT', '/v1/admin/pools/:pool', { params: { pool: id }, body: { name } });
      }}
      queryKey={poolsQuery.queryKey}
      done={texts.pools.added}
    >
      {({ field }) => (
        <>
          <TextField
            label={texts.pools.id}
            hint={texts.pools.idHint}
            required
            maxLength={128}
            {...field('id')}
          />
          <TextField label={texts.fields.name} required maxLength={200} {...field('name')} />
        </>
      )}
    </FormButton>
  );
}
