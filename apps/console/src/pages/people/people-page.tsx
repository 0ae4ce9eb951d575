import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { credentialsQuery } from '../../api/queries.ts';
import type { Credential } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, QueryTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { texts } from '../../text/english.ts';
import { AddCredential } from './add-credential.tsx';
import { Sessions } from './sessions.tsx';

const isOver = ({ expiresAt }: Credential) => expiresAt !== null && Date.parse(expiresAt) <= Date.now();

const columns: readonly Column<Credential>[] = [
  { heading: texts.fields.name, cell: ({ name }) => name, onCard: 'title' },
  { heading: texts.people.role, cell: ({ role }) => texts.roles[role] },
  {
    heading: texts.pages.pools,
    cell: ({ pools }) => pools?.join(', ') ?? texts.shell.allPools,
  },
  {
    heading: texts.fields.lastUsed,
    cell: ({ lastUsedAt: at }) => at && <DateTime value={at} style="relative" />,
  },
  {
    heading: texts.people.expires,
    cell: (credential) =>
      isOver(credential) ? (
        <Badge tone="bad">{texts.people.over}</Badge>
      ) : (
        credential.expiresAt && <DateTime value={credential.expiresAt} />
      ),
  },
  {
    heading: texts.fields.actions,
    cell: (credential) => <RevokeButton credential={credential} />,
    onCard: 'bare',
  },
];

export function PeoplePage() {
  const credentials = useQuery(credentialsQuery);
  return (
    <Page title={texts.pages.people} lead={texts.people.lead} actions={<AddCredential />}>
      <Card isFlush>
        <QueryTable
          label={texts.pages.people}
          columns={columns}
          query={credentials}
          rows={credentials.data}
          rowKey={({ id }) => id}
          empty={<Empty title={texts.people.none}>{texts.people.noneHint}</Empty>}
        />
      </Card>
      <Sessions />
    </Page>
  );
}

function RevokeButton({ credential: { id, name } }: { readonly credential: Credential }) {
  return (
    <ConfirmButton
      label={texts.keys.revoke}
      aria-label={texts.people.revokeOf(name)}
      size="small"
      title={texts.people.revokeOf(name)}
      lead={texts.people.revokeLead}
      isDangerous
      change={() => call('DELETE', '/v1/admin/credentials/:id', { params: { id } })}
      queryKey={credentialsQuery.queryKey}
      done={texts.keys.revoked}
    />
  );
}
