import type { LookupAddress } from 'node:dns';
import { createFileReader } from './file-reader.ts';
import { parseHostsFile } from './hosts-file.ts';
import { type Family, localFamilies } from './local-families.ts';
import { NameNotResolved } from './name-not-resolved.ts';
import { queryAddresses } from './query-addresses.ts';
import { candidatesOf, parseSearchList } from './search-list.ts';

/** Finds the addresses of names. */
export interface NameResolver {
  /** At least one address, in the order in which to try them. Rejects with {@link NameNotResolved}. */
  resolve(hostname: string): Promise<readonly LookupAddress[]>;
}

/** How names are resolved. What is left out is as the system has it; tests put their own there. */
export interface NameResolverOptions {
  /** Milliseconds for one look-up as a whole. */
  readonly deadlineMs: number;
  /** Addresses, with a port where it is not 53. */
  readonly nameServers?: readonly string[];
  readonly hostsFile?: string;
  readonly resolvConf?: string;
  readonly families?: readonly Family[];
  /** Most look-ups at one time. */
  readonly maxLookups?: number;
}

interface CachedAnswer {
  readonly answer: Promise<readonly LookupAddress[]>;
  /** On the clock of `performance.now()`; never, while the look-up is under way. */
  expiresAt: number;
}

const maxTtlSeconds = 30;
const failureTtlSeconds = 1;
const maxCachedNames = 1_000;
const defaultMaxLookups = 256;

// A look-up that is given up after three tries' worth of time: the first try, and a second one of twice its length.
const firstTryShare = 1 / 3;

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Makes a resolver with a deadline for each look-up, one look-up for each name at a time, and a short cache: as long as
 * the name's TTL says, 30 s at most; a failure is kept for a second.
 *
 * Where as many look-ups as there may be are under way, the one that has waited longest gives way to the next: a name
 * server that answers does so in a fraction of the deadline, so it is the dead ones that lose their place.
 */
export function createNameResolver(options: NameResolverOptions): NameResolver {
  const { deadlineMs, nameServers, maxLookups = defaultMaxLookups } = options;
  const listedNames = createFileReader(options.hostsFile ?? '/etc/hosts', parseHostsFile);
  const searchList = createFileReader(options.resolvConf ?? '/etc/resolv.conf', parseSearchList);
  const cache = new Map<string, CachedAnswer>();
  const running = new Set<AbortController>();

  function giveWay(): void {
    const [longest] = running;
    if (longest === undefined || running.size < maxLookups) return;
    running.delete(longest);
    longest.abort(new NameNotResolved('too many other names are being looked up'));
  }

  async function lookUp(name: string) {
    giveWay();
    const abort = new AbortController();
    running.add(abort);
    const outOfTime = new NameNotResolved(`its name servers did not answer within ${deadlineMs} ms`);
    const timer = setTimeout(() => abort.abort(outOfTime), deadlineMs);
    try {
      return await queryAddresses({
        candidates: candidatesOf(name, searchList()),
        families: options.families ?? localFamilies(),
        nameServers,
        timeoutMs: Math.ceil(deadlineMs * firstTryShare),
        signal: abort.signal,
      });
    } finally {
      clearTimeout(timer);
      running.delete(abort);
    }
  }

  function remember(name: string): CachedAnswer {
    const keepFor = (seconds: number) => {
      entry.expiresAt = performance.now() + seconds * 1000;
    };
    const answer = lookUp(name).then(
      ({ addresses, ttlSeconds }) => {
        keepFor(Math.min(ttlSeconds, maxTtlSeconds));
        return addresses;
      },
      (error: unknown) => {
        keepFor(failureTtlSeconds);
        throw error;
      },
    );
    const entry: CachedAnswer = { answer, expiresAt: Number.POSITIVE_INFINITY };
    // Deleted first, so that the names stand in the order in which they were looked up.
    cache.delete(name);
    cache.set(name, entry);
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size > maxCachedNames) cache.delete(oldest);
    return entry;
  }

  return {
    async resolve(hostname) {
      const name = hostname.toLowerCase();
      const withoutDot = name.replace(/\.$/, '');
      // RFC 6761 gives these names one meaning; resolvers differ on the spellings with a dot.
      if (/(?:^|\.)localhost$/.test(withoutDot)) return loopback;
      const listed = listedNames().get(withoutDot);
      if (listed !== undefined) return listed;
      const cached = cache.get(name);
      const isFresh = cached !== undefined && performance.now() < cached.expiresAt;
      return (isFresh ? cached : remember(name)).answer;
    },
  };
}
