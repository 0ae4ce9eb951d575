import { tokenScopes } from '../../api/choices.ts';
import { call } from '../../api/client.ts';
import { accessTokensQuery } from '../../api/queries.ts';
import type { AccessToken } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { KeyCard } from '../../components/key-card.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import styles from './access-tokens.module.css';
import { AddAccessToken } from './add-access-token.tsx';

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
