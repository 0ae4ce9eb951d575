import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Family } from './local-families.ts';
import { NameNotResolved } from './name-not-resolved.ts';

/** How one look-up asks. */
export interface AddressQuery {
  /** Full names; the first that exists counts. */
  readonly candidates: readonly string[];
  readonly families: readonly Family[];
  /** Those of the system where left out. */
  readonly nameServers: readonly string[] | undefined;
  /** Milliseconds that one server has for its first answer. */
  readonly timeoutMs: number;
  /** Ends the look-up; its reason is what the look-up rejects with. */
  readonly signal: AbortSignal;
}

/** What one look-up brought. */
export interface FoundAddresses {
  readonly addresses: readonly LookupAddress[];
  /** Seconds that all of them may be kept. */
  readonly ttlSeconds: number;
}

type Outcome =
  | { readonly kind: 'found'; readonly addresses: readonly LookupAddress[]; readonly ttlSeconds: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly code: string };

// Some name servers never answer for IPv6: one family's addresses do not wait long for the other's.
const otherFamilyMs = 300;
const tries = 2;
const absentCodes = new Set(['ENOTFOUND', 'ENODATA']);

async function queryFamily(resolver: Resolver, name: string, family: Family): Promise<Outcome> {
  const options = { ttl: true } as const;
  try {
    const records = await (family === 4
      ? resolver.resolve4(name, options)
      : resolver.resolve6(name, options));
    const addresses = records.map(({ address }) => ({ address, family }));
    return { kind: 'found', addresses, ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return absentCodes.has(code) ? { kind: 'absent' } : { kind: 'failed', code };
  }
}

/** The outcomes in the order of the families; one that is late is left out where another has found something. */
function queryFamilies(
  resolver: Resolver,
  name: string,
  families: readonly Family[],
): Promise<readonly Outcome[]> {
  return new Promise((resolve) => {
    const outcomes = new Map<Family, Outcome>();
    let timer: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(timer);
      resolve(families.flatMap((family) => outcomes.get(family) ?? []));
    };
    for (const family of families) {
      void queryFamily(resolver, name, family).then((outcome) => {
        outcomes.set(family, outcome);
        if (outcomes.size === families.length) finish();
        else if (outcome.kind === 'found') timer ??= setTimeout(finish, otherFamilyMs);
      });
    }
  });
}

function combine(outcomes: readonly Outcome[]): Outcome {
  const found = outcomes.filter((outcome) => outcome.kind === 'found');
  if (found.length === 0) {
    return outcomes.find((outcome) => outcome.kind === 'failed') ?? { kind: 'absent' };
  }
  const addresses = found.flatMap((outcome) => outcome.addresses);
  return { kind: 'found', addresses, ttlSeconds: Math.min(...found.map(({ ttlSeconds }) => ttlSeconds)) };
}

/**
 * Asks name servers for the addresses of a name, without any thread: `getaddrinfo` would hold one of libuv's four for
 * as long as a dead name server lets it wait. A resolver of its own for each look-up can be ended alone, asks from a
 * port of its own, and reads the system's name servers anew.
 *
 * A candidate that fails is the end: going on to the next would take a name inside a cluster, while its name server
 * is down, to whoever owns the same name outside.
 *
 * @throws NameNotResolved, or the reason of the signal
 */
export async function queryAddresses(query: AddressQuery): Promise<FoundAddresses> {
  const { candidates, families, nameServers, timeoutMs, signal } = query;
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (const name of candidates) {
      const outcome = combine(await queryFamilies(resolver, name, families));
      signal.throwIfAborted();
      if (outcome.kind === 'found') return outcome;
      if (outcome.kind === 'failed') {
        throw new NameNotResolved(`its name servers gave no answer that counts (${outcome.code})`);
      }
    }
    throw new NameNotResolved('there is no such name, or it has no address');
  } finally {
    signal.removeEventListener('abort', cancel);
    resolver.cancel();
  }
}
