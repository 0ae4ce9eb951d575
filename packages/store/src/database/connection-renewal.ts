import type { Pool, PoolClient } from 'pg';

const readOnlyTransaction = '25006';
// While the only server there is takes no writes, every write would otherwise have every connection made anew.
const renewEveryMs = 1_000;

/** Lets all connections go at once when they turn out to lead to a server that takes no writes any more. */
export interface ConnectionRenewal {
  /** Drops what is connected now, at its next use at the latest. Once a second at most. */
  renew(): void;
  /** Renews where an error says that the server takes no writes. */
  renewAfter(error: unknown): void;
  /** Calls back at each renewal. @returns what ends that */
  onRenew(listener: () => void): () => void;
  /** A connection of the pool that was made since the last renewal. */
  connectionOf(pool: Pool): Promise<PoolClient>;
  /** Gives a connection back to its pool, or ends it where it is older than the last renewal. */
  release(client: PoolClient, destroy?: boolean): void;
}

const isReadOnly = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === readOnlyTransaction;

/**
 * A primary that was demoted keeps the connections that it has: whoever stays on them is refused every write for ever,
 * while the name of the database has long led to the new primary.
 */
export function createConnectionRenewal(): ConnectionRenewal {
  const generations = new WeakMap<PoolClient, number>();
  const listeners = new Set<() => void>();
  let generation = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;

  const renew = () => {
    const now = performance.now();
    if (now - renewedAt < renewEveryMs) return;
    renewedAt = now;
    generation += 1;
    for (const listener of listeners) listener();
  };
  const isStale = (client: PoolClient) => generations.get(client) !== generation;

  return {
    renew,
    renewAfter(error) {
      if (isReadOnly(error)) renew();
    },
    onRenew(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async connectionOf(pool) {
      for (;;) {
        const client = await pool.connect();
        if (!generations.has(client)) generations.set(client, generation);
        if (!isStale(client)) return client;
        client.release(true);
      }
    },
    release(client, destroy = false) {
      client.release(destroy || isStale(client));
    },
  };
}
