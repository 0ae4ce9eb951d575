import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { sessionsQuery } from '../../api/queries.ts';
import type { Session } from '../../api/resources.ts';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, QueryTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { texts } from '../../text/english.ts';

const columns: readonly Column<Session>[] = [
  { heading: texts.fields.name, cell: ({ name }) => name, onCard: 'title' },
  { heading: texts.audit.actor, cell: ({ actor }) => actor },
  { heading: texts.people.role, cell: ({ role }) => texts.roles[role] },
  {
    heading: texts.sessions.since,
    cell: ({ createdAt }) => <DateTime value={createdAt} style="relative" />,
  },
  {
    heading: texts.fields.lastUsed,
    cell: ({ lastUsedAt }) => <DateTime value={lastUsedAt} style="relative" />,
  },
  { heading: texts.fields.actions, cell: (session) => <EndButton session={session} />, onCard: 'bare' },
];

export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  return (
    <Card title={texts.sessions.title} isFlush>
      <QueryTable
        label={texts.sessions.title}
        columns={columns}
        query={sessions}
        rows={sessions.data}
        rowKey={({ id }) => id}
      />
    </Card>
  );
}

function EndButton({ session: { id, name } }: { readonly session: Session }) {
  return (
    <ConfirmButton
      label={texts.sessions.end}
      aria-label={texts.sessions.endOf(name)}
      size="small"
      title={texts.sessions.endOf(name)}
      lead={texts.sessions.endLead}
      isDangerous
      change={() => call('DELETE', '/v1/admin/sessions/:id', { params: { id } })}
      queryKey={sessionsQuery.queryKey}
      done={texts.sessions.ended}
    />
  );
}
