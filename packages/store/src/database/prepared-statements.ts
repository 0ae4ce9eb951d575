import { createHash } from 'node:crypto';
import {
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { ConnectionRenewal } from './connection-renewal.ts';

const mark = '/* prepared */';

/**
 * Stands first in a statement that every connection is to prepare: one that runs often and is long to plan. Its
 * columns must be named: `select *` would fail once a migration adds a column.
 */
export const prepared = sql.raw(mark);

// A plan that was made while a table was small may read the whole of it, and would be kept when the table has grown.
const replanEveryMs = 30_000;

const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `ws_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

const plannedAt = new WeakMap<PoolClient, number>();

/** Throws old plans away, in the same line of queries as the one that follows. */
function discardOldPlans(client: PoolClient): void {
  const now = performance.now();
  const since = plannedAt.get(client);
  if (since !== undefined && now - since < replanEveryMs) return;
  plannedAt.set(client, now);
  // What goes wrong with the connection, the query that follows will say.
  if (since !== undefined) client.query('discard plans').catch(() => {});
}

function preparing(client: PoolClient, renewal: ConnectionRenewal): PostgresPoolClient {
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('cursors are not used');
    const run = () => {
      if (!text.startsWith(mark)) return client.query(text, [...values]);
      discardOldPlans(client);
      return client.query({ name: nameOf(text), text, values: [...values] });
    };
    return run().catch((error: unknown) => {
      renewal.renewAfter(error);
      throw error;
    });
  }
  return { query, release: (destroy) => renewal.release(client, destroy) };
}

/** A pool whose connections prepare what is marked by {@link prepared}, and are renewed when they should be. */
export function preparingPool(pool: Pool, renewal: ConnectionRenewal): PostgresPool {
  return {
    options: pool.options,
    connect: async () => preparing(await renewal.connectionOf(pool), renewal),
    end: () => pool.end(),
  };
}
