import { call } from '../../api/client.ts';
import { credentialsQuery, sessionsQuery } from '../../api/queries.ts';
import type { Credential, Session } from '../../api/resources.ts';
import { serviceNow } from '../../api/service-time.ts';
import { type Column, TableCard } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ConfirmButton } from '../../components/dialog.tsx';
import { Page } from '../../components/layout.tsx';
import { Badge } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { AddCredential } from './add-credential.tsx';

const sessionColumns: readonly Column<Session>[] = [
  { heading: texts.fields.name, cell: ({ name }) => name, onCard: 'title' },
  { heading: 'Who', cell: ({ actor }) => actor },
  { heading: 'Role', cell: ({ role }) => texts.roles[role] },
  { heading: 'Signed in', cell: ({ createdAt }) => <DateTime value={createdAt} style="relative" /> },
  {
    heading: texts.fields.lastUsed,
    cell: ({ lastUsedAt }) => <DateTime value={lastUsedAt} style="relative" />,
  },
  {
    heading: texts.fields.actions,
    cell: ({ id, name }) => (
      <ConfirmButton
        label="End"
        aria-label={`End a session of ${name}`}
        size="small"
        title={`End a session of ${name}`}
        lead="That browser is signed out at once. The person can sign in again as long as the credential, or the account at the issuer, has a role."
        isDangerous
        change={() => call('DELETE', '/v1/admin/sessions/:id', { params: { id } })}
        done="Session ended."
      />
    ),
    onCard: 'bare',
  },
];

const signedIn = 'Signed in to the console';

const isOver = ({ expiresAt }: Credential) => expiresAt !== null && new Date(expiresAt) <= serviceNow();

const columns: readonly Column<Credential>[] = [
  { heading: texts.fields.name, cell: ({ name }) => name, onCard: 'title' },
  { heading: 'Role', cell: ({ role }) => texts.roles[role] },
  { heading: texts.pages.pools, cell: ({ pools }) => pools?.join(', ') ?? texts.fields.allPools },
  {
    heading: texts.fields.lastUsed,
    cell: ({ lastUsedAt: at }) => at && <DateTime value={at} style="relative" />,
  },
  {
    heading: 'Expires',
    cell: (credential) =>
      isOver(credential) ? (
        <Badge tone="bad">Expired</Badge>
      ) : (
        credential.expiresAt && <DateTime value={credential.expiresAt} />
      ),
  },
  {
    heading: texts.fields.actions,
    cell: ({ id, name }) => (
      <ConfirmButton
        label={texts.keys.revoke}
        aria-label={`Revoke ${name}`}
        size="small"
        title={`Revoke ${name}`}
        lead="Its user loses access and is signed out at once."
        isDangerous
        change={() => call('DELETE', '/v1/admin/credentials/:id', { params: { id } })}
        done={texts.keys.revoked}
      />
    ),
    onCard: 'bare',
  },
];

export function PeoplePage() {
  return (
    <Page
      title={texts.pages.people}
      lead="Who can sign in and call the API, and with which role. The admin token is also an owner."
      actions={<AddCredential />}
    >
      <TableCard
        label={texts.pages.people}
        columns={columns}
        query={credentialsQuery}
        rowKey={({ id }) => id}
        none="Only the admin token"
      >
        People who can sign in are listed here. Give each person a separate credential.
      </TableCard>
      <TableCard
        title={signedIn}
        label={signedIn}
        columns={sessionColumns}
        query={sessionsQuery}
        rowKey={({ id }) => id}
      />
    </Page>
  );
}
