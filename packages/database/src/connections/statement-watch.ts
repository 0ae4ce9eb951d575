import { Client, type PoolClient } from 'pg';
import type { ConnectionRenewal } from './connection-renewal.ts';

/**
 * Gives up connections on which no response will arrive. A machine that vanishes does not close its connections, and
 * after sending a statement, TCP would wait a quarter of an hour; a commit waits indefinitely for a synchronous standby
 * that is gone.
 *
 * If a statement takes long, another connection checks which server responds at the database's address now. If it is
 * another server, or the same one restarted, connections to the previous one are closed and their statements fail. If it
 * is the same one, the statement is merely slow, and may take as long as the server's own limit.
 */
export interface StatementWatch {
  /** Runs statements on a new connection, and remembers which server it leads to. */
  prepare(client: PoolClient, statements: string): void;
  /** Watches a statement until it is answered. Its promise rejects once its connection is given up. */
  watch<Result>(client: PoolClient, statement: Promise<Result>): Promise<Result>;
}

type ClientSettings = ConstructorParameters<typeof Client>[0];

export interface StatementWatchOptions {
  /** The settings of the connection that checks which server responds. */
  readonly askWith: ClientSettings;
  /** Milliseconds after which a statement is given up, whether or not the server responds. */
  readonly maxStatementMs: number;
  readonly renewal: ConnectionRenewal;
}

const checkEveryMs = 1_000;
const slowAfterMs = 3_000;
const answerWithinMs = 2_000;
// A statement may rightly take minutes, such as one that builds an index.
const askAgainAfterMs = 5_000;
// Differs for every start of every server. An epoch, because a time as text depends on the connection's time zone.
const serverQuery = 'select extract(epoch from pg_postmaster_start_time())::text as started';

export function createStatementWatch(options: StatementWatchOptions): StatementWatch {
  const { askWith, maxStatementMs, renewal } = options;
  const servers = new WeakMap<PoolClient, string>();
  const waitingSince = new Map<PoolClient, number>();
  let timer: NodeJS.Timeout | undefined;
  let asking: Promise<void> | undefined;
  let sameUntil = Number.NEGATIVE_INFINITY;

  const waitingFor = (ms: number) => {
    const now = performance.now();
    return [...waitingSince].filter(([, since]) => now - since >= ms).map(([client]) => client);
  };
  const giveUp = (client: PoolClient) => {
    waitingSince.delete(client);
    renewal.destroy(client);
  };
  const askWhoAnswers = async (settings: ClientSettings) => {
    const server = await serverAt(settings).catch(() => undefined);
    if (server === undefined) return;
    const former = waitingFor(slowAfterMs).filter((client) => servers.get(client) !== server);
    if (former.length === 0) {
      sameUntil = performance.now() + askAgainAfterMs;
      return;
    }
    renewal.renew();
    for (const client of former) giveUp(client);
  };
  const check = () => {
    for (const client of waitingFor(maxStatementMs)) giveUp(client);
    if (asking !== undefined || performance.now() <= sameUntil) return;
    if (waitingFor(slowAfterMs).length > 0) {
      asking = askWhoAnswers(askWith).finally(() => {
        asking = undefined;
      });
    }
  };
  const done = (client: PoolClient) => {
    waitingSince.delete(client);
    if (waitingSince.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    prepare(client, statements) {
      // One query: the next one is sent while this one is on its way. It has a result for each statement.
      client.query<{ started: string }>(`${statements}; ${serverQuery}`).then(
        (results) => {
          const server = [results].flat().at(-1)?.rows[0]?.started;
          if (server !== undefined) servers.set(client, server);
        },
        // The query that follows fails too, and reports it.
        () => {},
      );
    },
    watch(client, statement) {
      waitingSince.set(client, performance.now());
      timer ??= setInterval(check, checkEveryMs).unref();
      return statement.finally(() => done(client));
    },
  };
}

async function serverAt(settings: ClientSettings): Promise<string | undefined> {
  const client = new Client(settings);
  client.on('error', () => {});
  // Also ends a connection that was opened but gets no response.
  const timer = setTimeout(() => void client.end().catch(() => {}), answerWithinMs);
  try {
    await client.connect();
    const { rows } = await client.query<{ started: string }>(serverQuery);
    return rows[0]?.started;
  } finally {
    clearTimeout(timer);
    void client.end().catch(() => {});
  }
}
