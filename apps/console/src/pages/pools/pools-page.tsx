import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { poolsQuery } from '../../api/queries.ts';
import type { Pool } from '../../api/resources.ts';
import { Card } from '../../components/card.tsx';
import { type Column, QueryTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { AddPool } from './add-pool.tsx';

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
  {
    heading: texts.pools.defaultSystem,
    cell: ({ defaultBookingSystem }) => defaultBookingSystem,
  },
  { heading: texts.fields.created, cell: ({ createdAt }) => <DateTime value={createdAt} /> },
];

export function PoolsPage() {
  const pools = useQuery(poolsQuery);
  const { may, me } = useSession();
  return (
    <Page
      title={texts.pages.pools}
      lead={texts.pools.lead}
      actions={may('operator') && me.pools === null ? <AddPool known={pools.data ?? []} /> : undefined}
    >
      <Card isFlush>
        <QueryTable
          label={texts.pages.pools}
          columns={columns}
          query={pools}
          rows={pools.data}
          rowKey={({ id }) => id}
          empty={<Empty title={texts.pools.none}>{texts.pools.noneHint}</Empty>}
        />
      </Card>
    </Page>
  );
}
