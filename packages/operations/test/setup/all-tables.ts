import { Client } from 'pg';

/** Queries a database on a separate connection. */
export async function queryOnce(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** A checksum of the rows of every table, in no order, and the positions of the sequences. */
export async function checksums(url: string): Promise<Record<string, string>> {
  const tables = await queryOnce(
    url,
    `select relname as name, relkind as kind from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name, kind } of tables) {
    const [row] = await queryOnce(
      url,
      kind === 'S'
        ? `select last_value::text || ' ' || is_called as sum from "${name}"`
        : `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from "${name}" t`,
    );
    found[String(name)] = String(row?.sum);
  }
  return found;
}
