import { createHash } from 'node:crypto';
import {
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import type { ConnectionRenewal } from './connection-renewal.ts';
import type { StatementWatch } from './statement-watch.ts';

/**
 * Whether a commit failed because PostgreSQL's queue of notifications is full: a session that listens has had a
 * transaction open for long, and keeps all notifications since. Changes that must be announced are rolled back, such as
 * those that withdraw a permission from messages that a host has claimed.
 */
export const isNotifyQueueFull = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '54000' && error.routine === 'PreCommit_Notify';

/**
 * Discards the notifications that every session has read, without waiting for it. PostgreSQL itself does so only when
 * notifications are added: a full queue would stay full after the session that kept them has gone on.
 */
function discardReadNotifications(client: PoolClient): void {
  client.query('select pg_notification_queue_usage()').catch(() => {});
}

const marker = '/* prepared */';

/**
 * Begins a statement that each connection prepares once, because it runs often and takes long to plan. Such a statement
 * must name its columns: a prepared `select *` fails once a migration adds one.
 */
export const prepared = sql.raw(marker);

// A generic plan made while a table was small may be a sequential scan, and outlive the table's growth.
const replanEveryMs = 30_000;

const statementNames = new Map<string, string>();

function statementNameOf(text: string): string {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  const name = `ws_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
  statementNames.set(text, name);
  return name;
}

// The server sends these just before it closes the connection: the administrator, a crash of another process, or the
// time limit of an idle connection or transaction ended it.
const endingCodes = /^(?:57P0\d|25P0[34])$/;

const endsConnection = (error: unknown) =>
  error instanceof Error && 'code' in error && endingCodes.test(String(error.code));

const plannedAt = new WeakMap<PoolClient, number>();

/** Queues `discard plans` in front of the next query, without waiting for it. */
function discardOldPlans(client: PoolClient): void {
  const now = performance.now();
  const since = plannedAt.get(client);
  if (since !== undefined && now - since < replanEveryMs) return;
  plannedAt.set(client, now);
  // A broken connection fails the next query too, which reports it.
  if (since !== undefined) client.query('discard plans').catch(() => {});
}

function preparingClient(
  client: PoolClient,
  renewal: ConnectionRenewal,
  statementWatch: StatementWatch,
): PostgresPoolClient {
  let isEnding = false;
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('cursors are not supported');
    const run = () => {
      if (!text.startsWith(marker)) return client.query(text, [...values]);
      discardOldPlans(client);
      return client.query({ name: statementNameOf(text), text, values: [...values] });
    };
    return statementWatch.watch(client, run()).catch((error: unknown) => {
      renewal.renewIfReadOnly(error);
      if (isNotifyQueueFull(error)) discardReadNotifications(client);
      isEnding ||= endsConnection(error);
      throw error;
    });
  }
  // Back in the pool, a connection that the server is closing would fail the next query.
  return { query, release: (destroy = false) => renewal.release(client, destroy || isEnding) };
}

/** Adds prepared statements, the renewal of connections and the watch over statements to a pool. */
export function preparingPool(
  pool: Pool,
  renewal: ConnectionRenewal,
  statementWatch: StatementWatch,
): PostgresPool {
  return {
    options: pool.options,
    connect: async () => preparingClient(await renewal.connect(pool), renewal, statementWatch),
    end: () => pool.end(),
  };
}
