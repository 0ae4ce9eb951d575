/** A destination, and the version of its configuration if the caller has just read it. */
export interface ConnectionRequest {
  readonly destination: string;
  readonly settingsVersion?: string | undefined;
}

interface CachedConnection<Connection> {
  readonly version: string;
  readonly expiresAt: number;
  readonly connection: Promise<Connection>;
}

const maxAgeMs = 10_000;
const maxCached = 10_000;

/**
 * Caches ready connections to destinations: decrypted, parsed, with checked headers.
 *
 * A connection serves only the version for which it was created, which the caller has just read (with a claim, or a
 * pool's setup), and for at most ten seconds, because a previous signing secret expires without a new version. A caller
 * without a version (an operator's test, perhaps right after a change) gets a new connection.
 */
export function createConnectionCache<Connection>(
  connect: (destination: string) => Promise<Connection>,
): (wanted: ConnectionRequest) => Promise<Connection> {
  const cache = new Map<string, CachedConnection<Connection>>();
  return ({ destination, settingsVersion: version }) => {
    if (version === undefined) return connect(destination);
    const now = performance.now();
    const cached = cache.get(destination);
    if (cached !== undefined && cached.version === version && cached.expiresAt > now)
      return cached.connection;
    cache.delete(destination);
    const created = { version, expiresAt: now + maxAgeMs, connection: connect(destination) };
    cache.set(destination, created);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    created.connection.catch(() => {
      if (cache.get(destination) === created) cache.delete(destination);
    });
    return created.connection;
  };
}
