import { api } from '../../api/client.ts';
import { dataOf } from '../../api/queries.ts';
import { KeyCard } from '../../components/key-card.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';

const url = '/v1/admin/pools/{pool}/access-tokens';

/** The tokens with which a pool's waiver app calls. */
export function AccessTokens({ pool }: { readonly pool: string }) {
  const { may } = useSession();
  const path = { pool };
  return (
    <KeyCard
      words={texts.accessTokens}
      mayChange={may('operator')}
      query={{
        queryKey: ['access-tokens', pool],
        queryFn: async () => (await dataOf(api.GET(url, { params: { path, query: { limit: 100 } } }))).items,
      }}
      add={async () => (await dataOf(api.POST(url, { params: { path }, body: {} }))).token}
      revoke={(id) => api.DELETE(`${url}/{id}`, { params: { path: { ...path, id } } })}
    />
  );
}
