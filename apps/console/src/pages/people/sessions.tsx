import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { sessionsQuery } from '../../api/queries.ts';
import type { Session } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Loading, ProblemNotice } from '../../components/notice.tsx';
import { useToast } from '../../components/toasts.tsx';
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
  const [isAsking, setIsAsking] = useState(false);
  const queries = useQueryClient();
  const toast = useToast();
  const end = useMutation({
    mutationFn: async () => {
      await api.DELETE('/v1/admin/sessions/{id}', { params: { path: { id } } });
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      toast(texts.sessions.ended);
    },
  });
  return (
    <>
      <Button
        size="small"
        look="danger"
        aria-label={texts.sessions.endOf(name)}
        onClick={() => setIsAsking(true)}
      >
        {texts.sessions.end}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={texts.sessions.endOf(name)}
        lead={texts.sessions.endLead}
        confirm={texts.sessions.end}
        isDangerous
        action={end}
      />
    </>
  );
}
