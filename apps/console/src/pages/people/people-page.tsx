import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { credentialsQuery } from '../../api/queries.ts';
import type { Credential } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Empty, Loading, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useChange } from '../../components/use-change.ts';
import { texts } from '../../text/english.ts';
import { AddCredential } from './add-credential.tsx';
import { Sessions } from './sessions.tsx';

const isOver = ({ expiresAt }: Credential) => expiresAt !== null && Date.parse(expiresAt) <= Date.now();

const columns: readonly Column<Credential>[] = [
  { id: 'name', heading: texts.fields.name, cell: ({ name }) => name },
  { id: 'role', heading: texts.people.role, cell: ({ role }) => texts.roles[role] },
  {
    id: 'pools',
    heading: texts.pages.pools,
    cell: ({ pools }) => pools?.join(', ') ?? texts.shell.allPools,
    isMinor: true,
  },
  {
    id: 'used',
    heading: texts.fields.lastUsed,
    cell: ({ lastUsedAt }) => <DateTime value={lastUsedAt} style="relative" />,
    isMinor: true,
  },
  {
    id: 'expires',
    heading: texts.people.expires,
    cell: (credential) =>
      isOver(credential) ? (
        <Badge tone="bad">{texts.people.over}</Badge>
      ) : (
        <DateTime value={credential.expiresAt} />
      ),
    isMinor: true,
  },
  {
    id: 'actions',
    heading: texts.fields.actions,
    cell: (credential) => <RevokeButton credential={credential} />,
  },
];
const keyOf = ({ id }: Credential) => id;

/** Who may sign in and call, and as what. */
export function PeoplePage() {
  const { data, error, refetch } = useQuery(credentialsQuery);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Page
      title={texts.pages.people}
      lead={texts.people.lead}
      actions={
        <Button look="primary" onClick={() => setIsAdding(true)}>
          {texts.people.add}
        </Button>
      }
    >
      <Card isFlush>
        {error === null ? null : <ProblemNotice error={error} retry={() => void refetch()} />}
        {data === undefined && error === null ? <Loading /> : null}
        {data?.length === 0 ? <Empty title={texts.people.none}>{texts.people.noneHint}</Empty> : null}
        {data === undefined || data.length === 0 ? null : (
          <DataTable label={texts.pages.people} columns={columns} rows={data} rowKey={keyOf} />
        )}
      </Card>
      <Sessions />
      <AddCredential isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Page>
  );
}

function RevokeButton({ credential: { id, name } }: { readonly credential: Credential }) {
  const revoke = useChange({
    change: () => api.DELETE('/v1/admin/credentials/{id}', { params: { path: { id } } }),
    queryKey: credentialsQuery.queryKey,
    done: texts.keys.revoked,
  });
  return (
    <ConfirmButton
      label={texts.keys.revoke}
      aria-label={texts.people.revokeOf(name)}
      size="small"
      title={texts.people.revokeOf(name)}
      lead={texts.people.revokeLead}
      confirm={texts.keys.revoke}
      isDangerous
      action={revoke}
    />
  );
}
