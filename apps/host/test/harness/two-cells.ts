import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { expect } from 'vitest';
import { startTestHost, type TestHost } from './test-host.ts';

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Rows of a pool, in an order in which they can be inserted. */
const tables = {
  pool: 'id = $1',
  access_token: 'pool = $1',
  destination: 'pool = $1',
  installation: 'pool = $1',
  pool_key: 'pool = $1',
};

async function onDatabase<Result>(url: string, run: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

/** Makes calls come to the other cell: the configuration of a pool is there, and it has left here. */
export async function movePool(
  { databaseUrl: from }: TestHost,
  { databaseUrl: to }: TestHost,
  { pool, cell }: { readonly pool: string; readonly cell: string },
): Promise<void> {
  for (const [table, condition] of Object.entries(tables)) {
    const { rows } = await onDatabase(from, (client) =>
      client.query(`select coalesce(json_agg(t), '[]')::text as rows from ${table} t where ${condition}`, [
        pool,
      ]),
    );
    await onDatabase(to, (client) =>
      client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
        rows[0].rows,
      ]),
    );
  }
  await markAsMoved(from, { pool, cell });
}

/** Records in a database that a pool has left. */
export async function markAsMoved(
  databaseUrl: string,
  { pool, cell }: { readonly pool: string; readonly cell: string },
): Promise<void> {
  await onDatabase(databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('insert into moved_pool (pool, cell) values ($1, $2)', [pool, cell]);
    await client.query(
      'insert into moved_pool_key (hash, pool) select hash, pool from pool_key where pool = $1',
      [pool],
    );
    await client.query(`select pg_notify('waiver_service_setups', '')`);
    await client.query('commit');
  });
}

/** Has a pool leave without a notification, as it is for a call that was let in a moment before. */
export const leaveUnheard = (
  databaseUrl: string,
  { pool, cell }: { readonly pool: string; readonly cell: string },
) =>
  onDatabase(databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('insert into moved_pool (pool, cell) values ($1, $2)', [pool, cell]);
    await client.query('delete from pool where id = $1', [pool]);
    await client.query('commit');
  });

/** Has a pool leave while a call that changes its configuration waits for it; returns once it has left. */
export const leaveWhileAwaited = (
  databaseUrl: string,
  { pool, cell }: { readonly pool: string; readonly cell: string },
  call: () => void,
) =>
  onDatabase(databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('insert into moved_pool (pool, cell) values ($1, $2)', [pool, cell]);
    await client.query('delete from pool where id = $1', [pool]);
    call();
    await expect
      .poll(async () => {
        const { rowCount } = await client.query(
          'select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))',
        );
        return rowCount;
      })
      .toBeGreaterThan(0);
    await client.query('commit');
  });

/** Records that a pool is being copied: it may be in the other cell already, and change there. */
export const beginCopying = (
  databaseUrl: string,
  { pool, cell }: { readonly pool: string; readonly cell: string },
) =>
  onDatabase(databaseUrl, (client) =>
    client.query(
      `insert into pool_move (pool, id, state, cell) values ($1, gen_random_uuid(), 'copying', $2)`,
      [pool, cell],
    ),
  );

/** Two hosts, each the only one of its cell, and others that are named only: `gone`, where nobody listens. */
export async function startTwoCells(
  others: Readonly<Record<string, string>> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const ports = { eu1: await freePort(), us1: await freePort() };
  const urls = { eu1: `http://127.0.0.1:${ports.eu1}`, us1: `http://127.0.0.1:${ports.us1}` };
  const CELLS = JSON.stringify({ ...urls, gone: `http://127.0.0.1:${await freePort()}`, ...others });
  const start = (CELL: 'eu1' | 'us1') =>
    startTestHost({
      CELL,
      CELLS,
      PORT: String(ports[CELL]),
      ADMIN_TOKEN: `admin-token-of-${CELL}`,
      ...variables,
    });
  const [eu1, us1] = await Promise.all([start('eu1'), start('us1')]);
  /** Calls a cell as its owner. */
  const asAdmin =
    (host: TestHost, cell: string): TestHost['call'] =>
    (method, path, body, options) =>
      host.call(method, path, body, { token: `admin-token-of-${cell}`, ...options });
  return {
    eu1: { ...eu1, admin: asAdmin(eu1, 'eu1') },
    us1: { ...us1, admin: asAdmin(us1, 'us1') },
    close: () => Promise.all([eu1.close(), us1.close()]),
  };
}

export type TwoCells = Awaited<ReturnType<typeof startTwoCells>>;
