import { tokenScopes } from '../../api/choices.ts';
import { call } from '../../api/client.ts';
import { accessTokensQuery } from '../../api/queries.ts';
import type { AccessToken, TokenScope } from '../../api/resources.ts';
import { Copyable, SecretOnce } from '../../components/copyable.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { FormButton } from '../../components/dialog.tsx';
import { CheckList, TextField } from '../../components/field.tsx';
import { KeyCard } from '../../components/layout.tsx';
import { Badge } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { endOfDay } from '../../text/formats.ts';
import styles from './pools.module.css';

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
      title={texts.accessTokens.add}
      initialDraft={emptyDraft}
      isComplete={({ scopes }) => scopes.length > 0}
      submit={(draft) =>
        call('POST', '/v1/admin/pools/:pool/access-tokens', {
          params: { pool },
          body: bodyOf(draft),
        })
      }
      result={({ token }) => (
        <>
          <SecretOnce secret={token} label={texts.accessTokens.secret} />
          {bookingId === undefined ? null : (
            <>
              <p>{texts.accessTokens.tryIt}</p>
              <Copyable text={exampleCall(pool, bookingId, token)} label={texts.accessTokens.exampleCall} />
            </>
          )}
        </>
      )}
    >
      {({ field }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint={texts.accessTokens.nameHint}
            maxLength={200}
            {...field('name')}
          />
          <CheckList
            label={texts.accessTokens.rights}
            choices={tokenScopes.map((scope) => [scope, ...texts.accessTokens.scopes[scope]] as const)}
            {...field('scopes')}
          />
          <TextField
            label={texts.people.lastDay}
            hint={texts.people.lastDayHint}
            type="date"
            {...field('lastDay', 'expiresAt')}
          />
        </>
      )}
    </FormButton>
  );
}

export function AccessTokens({ pool }: { readonly pool: string }) {
  const { may } = useSession();
  return (
    <KeyCard
      words={texts.accessTokens}
      mayChange={may('operator')}
      query={accessTokensQuery(pool)}
      revoke={(id) => call('DELETE', '/v1/admin/pools/:pool/access-tokens/:id', { params: { pool, id } })}
      action={<AddAccessToken pool={pool} />}
      describe={(token) => <Description token={token} />}
    />
  );
}

function Description({ token: { name, scopes, expiresAt } }: { readonly token: AccessToken }) {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <>
      <p className={styles.name}>
        {name ?? <span className="muted">{texts.accessTokens.unnamed}</span>}
        {isOver ? <Badge tone="bad">{texts.people.over}</Badge> : null}
      </p>
      <p className={styles.rights}>
        <span>
          {scopes.length === tokenScopes.length
            ? texts.accessTokens.everything
            : scopes.map((scope) => texts.accessTokens.scopes[scope][0]).join(' · ')}
        </span>
        <span className="muted">
          {expiresAt === null ? (
            texts.accessTokens.doesNotExpire
          ) : (
            <>
              {texts.people.expires} <DateTime value={expiresAt} />
            </>
          )}
        </span>
      </p>
    </>
  );
}
