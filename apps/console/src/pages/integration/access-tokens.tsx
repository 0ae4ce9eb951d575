import { namesOf } from '../../api/choices.ts';
import { call, serviceNow } from '../../api/client.ts';
import { accessTokensQuery } from '../../api/queries.ts';
import type { AccessToken, TokenScope } from '../../api/resources.ts';
import { Copyable, SecretOnce } from '../../components/copyable.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { FormButton } from '../../components/dialog.tsx';
import { CheckList, LastDayField, TextField } from '../../components/field.tsx';
import { KeyCard } from '../../components/layout.tsx';
import { Badge } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { endOfDay } from '../../text/formats.ts';
import styles from './integration.module.css';

const scopeTexts: Readonly<Record<TokenScope, readonly [label: string, hint: string]>> = {
  'bookings:read': ['Read bookings', 'By id, to pre-fill waivers.'],
  'waivers:write': [
    'Store waivers',
    'Includes changing and voiding. With only this and reading bookings, others’ answers cannot be read: enough for a form on a guest’s device.',
  ],
  'waivers:read': ['Read waivers', 'One at a time, by its id, with its answers.'],
  'waivers:list': ['List waivers', 'All waivers of the pool with their answers, and every change.'],
  'check-in:write': [
    'Make links to check in',
    'Links with which guests sign on their phone; anyone who has one can sign.',
  ],
};
const tokenScopes = namesOf<TokenScope>(scopeTexts);

interface Draft {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** A date field's value: `2027-06-12`. */
  readonly lastDay: string;
}

const emptyDraft: Draft = { name: '', scopes: tokenScopes, lastDay: '' };

const bodyOf = ({ name, scopes, lastDay }: Draft) => ({
  ...(name.trim() === '' ? {} : { name: name.trim() }),
  // In the list's order, not in the order of ticking.
  scopes: tokenScopes.filter((scope) => scopes.includes(scope)),
  ...(lastDay === '' ? {} : { expiresAt: endOfDay(lastDay) }),
});

interface AddAccessTokenProps {
  readonly pool: string;
  /** A readable booking, for an example call shown with the new token. */
  readonly bookingId?: string | undefined;
}

/** A shell command that reads a booking. */
function exampleCall(pool: string, bookingId: string, token: string): string {
  const path = `/v1/pools/${encodeURIComponent(pool)}/bookings/${encodeURIComponent(bookingId)}`;
  return `curl -sS -H 'Authorization: Bearer ${token}' '${location.origin}${path.replaceAll("'", '%27')}'`;
}

export function AddAccessToken({ pool, bookingId }: AddAccessTokenProps) {
  return (
    <FormButton
      size="small"
      title="Create token"
      initialDraft={emptyDraft}
      isComplete={({ scopes }) => scopes.length > 0}
      submit={(draft) =>
        call('POST', '/v1/admin/pools/:pool/access-tokens', { params: { pool }, body: bodyOf(draft) })
      }
      result={({ token }) => (
        <>
          <SecretOnce secret={token} label="Access token" />
          {bookingId === undefined ? null : (
            <>
              <p>In a shell, this reads the booking with it:</p>
              <Copyable text={exampleCall(pool, bookingId, token)} label="the call" />
            </>
          )}
        </>
      )}
    >
      {({ field }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint="For example the device or program that uses it."
            maxLength={200}
            {...field('name')}
          />
          <CheckList
            label="Scopes"
            choices={tokenScopes.map((scope) => [scope, ...scopeTexts[scope]] as const)}
            {...field('scopes')}
          />
          <LastDayField {...field('lastDay', 'expiresAt')} />
        </>
      )}
    </FormButton>
  );
}

export function AccessTokens({ pool }: { readonly pool: string }) {
  return (
    <KeyCard
      title="Access tokens"
      none="No access tokens"
      noneHint="The waiver app needs one to read bookings and store waivers. Create one for each app or device."
      revokeLead="Waiver apps that use it lose access at once."
      query={accessTokensQuery(pool)}
      revoke={(id) => call('DELETE', '/v1/admin/pools/:pool/access-tokens/:id', { params: { pool, id } })}
      actions={<AddAccessToken pool={pool} />}
      describe={(token) => <Description token={token} />}
    />
  );
}

function Description({ token: { name, scopes, expiresAt } }: { readonly token: AccessToken }) {
  const isOver = expiresAt !== null && new Date(expiresAt) <= serviceNow();
  return (
    <>
      <p className={styles.name}>
        {name ?? <span className="muted">Unnamed</span>}
        {isOver ? <Badge tone="bad">Expired</Badge> : null}
      </p>
      <p className={styles.rights}>
        <span>
          {scopes.length === tokenScopes.length
            ? 'Everything'
            : scopes.map((scope) => scopeTexts[scope][0]).join(' · ')}
        </span>
        <span className="muted">
          {expiresAt === null ? (
            'Does not expire'
          ) : (
            <>
              Expires <DateTime value={expiresAt} />
            </>
          )}
        </span>
      </p>
    </>
  );
}
