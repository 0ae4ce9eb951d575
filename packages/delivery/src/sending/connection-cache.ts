import type { DestinationVersion } from '@waiver-service/store';

/** A destination, and the version of its set-up that was found a moment ago. */
export type WantedConnection = Pick<DestinationVersion, 'destination'> & Partial<DestinationVersion>;

interface CachedConnection<Connection> {
  readonly version: string;
  readonly expiresAt: number;
  readonly connection: Promise<Connection>;
}

const maxAgeMs = 10_000;
const maxCached = 10_000;

/**
 * Caches what destinations are called by, ready for use: decrypted, parsed, its headers checked. There is one rule for
 * when a connection is out of date: it serves the version that it was made for, as whoever wants it has just found it
 * (a claim, or a pool's setup), and ten seconds at most, since a former signing secret ends without a change of anything.
 * Who names no version (a test by an operator, who has perhaps just changed something) gets a new one.
 */
export function createConnectionCache<Connection>(
  connect: (destination: string) => Promise<Connection>,
): (wanted: WantedConnection) => Promise<Connection> {
  const cache = new Map<string, CachedConnection<Connection>>();
  return ({ destination, settingsVersion: version }) => {
    if (version === undefined) return connect(destination);
    const now = performance.now();
    const cached = cache.get(destination);
    if (cached !== undefined && cached.version === version && cached.expiresAt > now)
      return cached.connection;
    cache.delete(destination);
    const made = { version, expiresAt: now + maxAgeMs, connection: connect(destination) };
    cache.set(destination, made);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    made.connection.catch(() => {
      if (cache.get(destination) === made) cache.delete(destination);
    });
    return made.connection;
  };
}
