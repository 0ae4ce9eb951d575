import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

const sharesQuery = `
  select count(s.id)::integer as shards from dispatcher d left join shard s on s.owner = d.id and not s.draining
  where d.lease_until > now() group by d.id`;

/** Resolves once this many dispatchers share all shards evenly. Rejects after two minutes. */
export async function untilShardsShared(databaseUrl: string, dispatchers: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const deadline = Date.now() + 120_000;
    const even = Array.from({ length: dispatchers }, () => 64 / dispatchers).join();
    let shares = '';
    while (shares !== even) {
      if (Date.now() > deadline)
        throw new Error(`after two minutes the dispatchers own ${shares} shards, not ${even}`);
      await delay(50);
      const { rows } = await client.query<{ shards: number }>(sharesQuery);
      shares = rows.map(({ shards }) => shards).join();
    }
  } finally {
    await client.end();
  }
}
