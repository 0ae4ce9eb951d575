import { roles } from '../../api/choices.ts';
import { call, serviceNow } from '../../api/client.ts';
import { credentialsQuery, sessionsQuery } from '../../api/queries.ts';
import type { Credential, Role, Session } from '../../api/resources.ts';
import { SecretOnce } from '../../components/copyable.tsx';
import { type Column, TableCard } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ConfirmButton, FormButton } from '../../components/dialog.tsx';
import { ChoiceField, choicesOf, LastDayField, TextField, wordsOf } from '../../components/field.tsx';
import { Page } from '../../components/layout.tsx';
import { Badge } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { endOfDay } from '../../text/formats.ts';

interface Draft {
  readonly name: string;
  readonly role: Role;
  readonly pools: string;
  /** A date field's value: `2027-06-12`. */
  readonly lastDay: string;
}

const roleHints: Readonly<Record<Role, string>> = {
  owner: 'Everything.',
  operator: 'Everything in its pools, except people, install keys and booking system settings.',
  viewer: 'Reads its pools without guests’ data.',
};

const emptyDraft: Draft = { name: '', role: 'operator', pools: '', lastDay: '' };

function bodyOf({ name, role, pools, lastDay }: Draft) {
  const named = wordsOf(pools);
  return {
    name: name.trim(),
    role,
    ...(role === 'owner' || named.length === 0 ? {} : { pools: named }),
    ...(lastDay === '' ? {} : { expiresAt: endOfDay(lastDay) }),
  };
}

export function AddCredential() {
  return (
    <FormButton
      look="primary"
      title="Add person"
      initialDraft={emptyDraft}
      submit={(draft) => call('POST', '/v1/admin/credentials', { body: bodyOf(draft) })}
      result={({ token }) => <SecretOnce secret={token} label="Token" />}
    >
      {({ draft, field }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint="Shown in the audit log."
            required
            maxLength={200}
            {...field('name')}
          />
          <ChoiceField
            label="Role"
            hint={roleHints[draft.role]}
            choices={choicesOf(roles, texts.roles)}
            {...field('role')}
          />
          {draft.role === 'owner' ? null : (
            <TextField
              label={texts.pages.pools}
              hint="Pool ids, separated by commas. Leave empty for all."
              {...field('pools', 'pools[0]')}
            />
          )}
          <LastDayField {...field('lastDay', 'expiresAt')} />
        </>
      )}
    </FormButton>
  );
}

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
