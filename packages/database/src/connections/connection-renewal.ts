import type { Pool, PoolClient } from 'pg';

const readOnlyTransaction = '25006';
// Without this limit, every failing write would reconnect everything while no server accepts writes.
const minIntervalMs = 1_000;

/**
 * Replaces all connections after a failover. A demoted primary keeps its connections open and refuses every write on
 * them, although the database's host name already leads to the new primary.
 */
export interface ConnectionRenewal extends ReturnType<typeof createConnectionRenewal> {}

const isReadOnly = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === readOnlyTransaction;

export function createConnectionRenewal() {
  const generations = new WeakMap<PoolClient, number>();
  const destroyed = new WeakSet<PoolClient>();
  const listeners = new Set<() => void>();
  let generation = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;

  const renew = () => {
    const now = performance.now();
    if (now - renewedAt < minIntervalMs) return;
    renewedAt = now;
    generation += 1;
    for (const listener of listeners) listener();
  };
  const isStale = (client: PoolClient) => generations.get(client) !== generation;

  return {
    /** Closes each current connection before its next use; at most once a second. */
    renew,
    /** Renews if a query failed because the server is read-only. */
    renewIfReadOnly(error: unknown): void {
      if (isReadOnly(error)) renew();
    },
    /** @returns a function to remove the listener */
    onRenew(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Takes a connection from the pool that is not older than the last renewal. */
    async connect(pool: Pool): Promise<PoolClient> {
      for (;;) {
        const client = await pool.connect();
        if (!generations.has(client)) generations.set(client, generation);
        if (!isStale(client)) return client;
        client.release(true);
      }
    },
    /** Returns a connection to its pool, or closes it if it is older than the last renewal. */
    release(client: PoolClient, destroy = false): void {
      if (!destroyed.has(client)) client.release(destroy || isStale(client));
    },
    /** Closes a connection that is in use; its running statement fails. Releasing it later does nothing. */
    destroy(client: PoolClient): void {
      if (destroyed.has(client)) return;
      destroyed.add(client);
      client.release(true);
    },
  };
}
