import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { poolsQuery } from '../../api/queries.ts';
import type { Pool } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Empty, Loading, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { AddPool } from './add-pool.tsx';

const columns: readonly Column<Pool>[] = [
  {
    id: 'name',
    heading: texts.fields.name,
    cell: ({ id, name }) => (
      <Link to="/pools/$pool" params={{ pool: id }}>
        {name}
      </Link>
    ),
  },
  { id: 'id', heading: texts.fields.id, cell: ({ id }) => <code>{id}</code> },
  {
    id: 'system',
    heading: texts.pools.defaultSystem,
    cell: ({ defaultBookingSystem }) => defaultBookingSystem ?? '–',
    isMinor: true,
  },
  {
    id: 'created',
    heading: texts.fields.created,
    cell: ({ createdAt }) => <DateTime value={createdAt} />,
    isMinor: true,
  },
];
const keyOf = ({ id }: Pool) => id;

/** The pools: each is one operator's waiver app. */
export function PoolsPage() {
  const { data: pools, error, refetch } = useQuery(poolsQuery);
  const { may, me } = useSession();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Page
      title={texts.pages.pools}
      lead={texts.pools.lead}
      actions={
        may('operator') && me.pools === null ? (
          <Button look="primary" onClick={() => setIsAdding(true)}>
            {texts.pools.add}
          </Button>
        ) : undefined
      }
    >
      <Card isFlush>
        {error === null ? null : <ProblemNotice error={error} retry={() => void refetch()} />}
        {pools === undefined && error === null ? <Loading /> : null}
        {pools?.length === 0 ? <Empty title={texts.pools.none}>{texts.pools.noneHint}</Empty> : null}
        {pools === undefined || pools.length === 0 ? null : (
          <DataTable label={texts.pages.pools} columns={columns} rows={pools} rowKey={keyOf} />
        )}
      </Card>
      <AddPool isOpen={isAdding} onClose={() => setIsAdding(false)} known={pools ?? []} />
    </Page>
  );
}
