import type { Pool, PoolClient } from 'pg';

const readOnlyTransaction = '25006';
// Without this limit, every failing write would reconnect everything while no server accepts writes.
const minIntervalMs = 1_000;

/**
 * Replaces all connections after a failover. A demoted primary keeps its connections open and refuses every write on
 * them, although the database's host name already leads to the new primary.
 */
export interface ConnectionRenewal {
  /** Closes each current connection before its next use; at most once a second. */
  renew(): void;
  /** Renews if a query failed because the server is read-only. */
  renewIfReadOnly(error: unknown): void;
  /** @returns a function to remove the listener */
  onRenew(listener: () => void): () => void;
  /** Takes a connection from the pool that is not older than the last renewal. */
  connect(pool: Pool): Promise<PoolClient>;
  /** Returns a connection to its pool, or closes it if it is older than the last renewal. */
  release(client: PoolClient, destroy?: boolean): void;
  /** Closes a connection that is in use; its running statement fails. Releasing it later does nothing. */
  destroy(client: PoolClient): void;
}

const isReadOnly = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === readOnlyTransaction;

export function createConnectionRenewal(): ConnectionRenewal {
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
    renew,
    renewIfReadOnly(error) {
      if (isReadOnly(error)) renew();
    },
    onRenew(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async connect(pool) {
      for (;;) {
        const client = await pool.connect();
        if (!generations.has(client)) generations.set(client, generation);
        if (!isStale(client)) return client;
        client.release(true);
      }
    },
    release(client, destroy = false) {
      if (!destroyed.has(client)) client.release(destroy || isStale(client));
    },
    destroy(client) {
      if (destroyed.has(client)) return;
      destroyed.add(client);
      client.release(true);
    },
  };
}
