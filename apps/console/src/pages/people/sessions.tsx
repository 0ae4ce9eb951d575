import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { sessionsQuery } from '../../api/queries.ts';
import type { Session } from '../../api/resources.ts';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Loading, ProblemNotice } from '../../components/notice.tsx';
import { useChange } from '../../components/use-change.ts';
import { texts } from '../../text/english.ts';

const columns: readonly Column<Session>[] = [
  { id: 'name', heading: texts.fields.name, cell: ({ name }) => name },
  { id: 'actor', heading: texts.audit.actor, cell: ({ actor }) => actor, isMinor: true },
  { id: 'role', heading: texts.people.role, cell: ({ role }) => texts.roles[role] },
  {
    id: 'since',
    heading: texts.sessions.since,
    cell: ({ createdAt }) => <DateTime value={createdAt} style="relative" />,
    isMinor: true,
  },
  {
    id: 'used',
    heading: texts.fields.lastUsed,
    cell: ({ lastUsedAt }) => <DateTime value={lastUsedAt} style="relative" />,
    isMinor: true,
  },
  {
    id: 'actions',
    heading: texts.fields.actions,
    cell: (session) => <EndButton session={session} />,
  },
];
const keyOf = ({ id }: Session) => id;

/** Who is signed in, and how to end that. */
export function Sessions() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  return (
    <Card title={texts.sessions.title} isFlush>
      {error === null ? null : <ProblemNotice error={error} retry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading /> : null}
      {data === undefined ? null : (
        <DataTable label={texts.sessions.title} columns={columns} rows={data} rowKey={keyOf} />
      )}
    </Card>
  );
}

function EndButton({ session: { id, name } }: { readonly session: Session }) {
  const end = useChange({
    change: () => api.DELETE('/v1/admin/sessions/{id}', { params: { path: { id } } }),
    queryKey: sessionsQuery.queryKey,
    done: texts.sessions.ended,
  });
  return (
    <ConfirmButton
      label={texts.sessions.end}
      aria-label={texts.sessions.endOf(name)}
      size="small"
      title={texts.sessions.endOf(name)}
      lead={texts.sessions.endLead}
      confirm={texts.sessions.end}
      isDangerous
      action={end}
    />
  );
}
