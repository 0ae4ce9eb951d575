import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { poolsQuery } from '../../api/queries.ts';
import type { Pool } from '../../api/resources.ts';
import { type Column, TableCard } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { FormButton } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Page } from '../../components/layout.tsx';
import { useSession } from '../../session/session.tsx';
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
      title="Add pool"
      initialDraft={{ id: '', name: '' }}
      submit={async ({ id, name }) => {
        if (known.some((pool) => pool.id === id)) {
          throw new ApiProblem({
            status: 409,
            code: 'pool_exists',
            message: 'A pool with this id already exists.',
          });
        }
        await call('PUT', '/v1/admin/pools/:pool', { params: { pool: id }, body: { name } });
      }}
      done="Pool added."
    >
      {({ field }) => (
        <>
          <TextField
            label={texts.pools.id}
            hint="Booking systems use this id to install themselves. It cannot be changed."
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

const columns: readonly Column<Pool>[] = [
  {
    heading: texts.fields.name,
    cell: ({ id, name }) => (
      <Link to="/pools/$pool" params={{ pool: id }}>
        {name}
      </Link>
    ),
    onCard: 'title',
  },
  { heading: texts.fields.id, cell: ({ id }) => <code>{id}</code> },
  { heading: 'Default booking system', cell: ({ defaultBookingSystem }) => defaultBookingSystem },
  { heading: texts.fields.created, cell: ({ createdAt }) => <DateTime value={createdAt} /> },
];

export function PoolsPage() {
  const { data: pools = [] } = useQuery(poolsQuery);
  const { may, me } = useSession();
  return (
    <Page
      title={texts.pages.pools}
      lead="Each pool is one operator’s waiver app."
      actions={may('operator') && me.pools === null ? <AddPool known={pools} /> : undefined}
    >
      <TableCard
        label={texts.pages.pools}
        columns={columns}
        query={poolsQuery}
        rowKey={({ id }) => id}
        none={texts.pools.none}
      >
        {texts.pools.noneHint}
      </TableCard>
    </Page>
  );
}
