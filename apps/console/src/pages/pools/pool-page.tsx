import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { poolsQuery } from '../../api/queries.ts';
import { Loading, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { texts } from '../../text/english.ts';
import { AccessTokens } from './access-tokens.tsx';
import { Installations } from './installations.tsx';
import { UnmatchedWaivers } from './unmatched-waivers.tsx';
import { Webhooks } from './webhooks.tsx';

const route = getRouteApi('/pools/$pool');

/** One pool: the booking systems installed for it, its webhooks, and the tokens of its waiver app. */
export function PoolPage() {
  const { pool } = route.useParams();
  const { data: pools, error } = useQuery(poolsQuery);
  if (error !== null) return <ProblemNotice error={error} />;
  if (pools === undefined) return <Loading />;
  const name = pools.find(({ id }) => id === pool)?.name ?? pool;
  return (
    <Page title={name} lead={texts.pools.leadOf(pool)}>
      <UnmatchedWaivers pool={pool} />
      <Installations pool={pool} />
      <Webhooks pool={pool} />
      <AccessTokens pool={pool} />
    </Page>
  );
}
