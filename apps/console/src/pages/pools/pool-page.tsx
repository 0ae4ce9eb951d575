import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { poolsQuery } from '../../api/queries.ts';
import type { Pool } from '../../api/resources.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { texts } from '../../text/english.ts';
import { AccessTokens } from './access-tokens.tsx';
import { DeskLinks } from './desk-links.tsx';
import { Installations } from './installations.tsx';
import { Invitations } from './invitations.tsx';
import { Kiosks } from './kiosks.tsx';
import { LateSignings } from './late-signings.tsx';
import { Retention } from './retention.tsx';
import { UnmatchedWaivers } from './unmatched-waivers.tsx';
import { Webhooks } from './webhooks.tsx';

const route = getRouteApi('/pools/$pool');

export function PoolPage() {
  const { pool } = route.useParams();
  const query = useQuery(poolsQuery);
  return (
    <Loaded query={query}>
      {(pools) => <PoolView pool={pool} found={pools.find(({ id }) => id === pool)} />}
    </Loaded>
  );
}

interface PoolViewProps {
  readonly pool: string;
  readonly found: Pool | undefined;
}

function PoolView({ pool, found }: PoolViewProps) {
  return (
    <Page title={found?.name ?? pool} lead={texts.pools.leadOf(pool)}>
      <LateSignings pool={pool} />
      <UnmatchedWaivers pool={pool} />
      <Installations pool={pool} />
      <DeskLinks pool={pool} name={found?.name ?? pool} />
      <Invitations pool={pool} name={found?.name ?? pool} />
      <Kiosks pool={pool} />
      <Webhooks pool={pool} />
      <AccessTokens pool={pool} />
      {found === undefined ? null : <Retention pool={found} />}
    </Page>
  );
}
