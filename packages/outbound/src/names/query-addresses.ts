import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';

/** The message is the reason, worded to follow "the name does not resolve". */
export class NameNotResolved extends Error {
  override readonly name = 'NameNotResolved';
}

/** An address family, as Node's `net` numbers it. */
export type Family = 4 | 6;

const bothFamilies: readonly Family[] = [6, 4];

/**
 * The families of which this machine has a routable address, IPv6 first (RFC 8305); others could not be connected to.
 * Both if it has only loopback and link-local addresses.
 */
export function localFamilies(): readonly Family[] {
  const routable = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const families = bothFamilies.filter((family) =>
    routable.some((address) => address.family === `IPv${family}`),
  );
  return families.length > 0 ? families : bothFamilies;
}

export interface AddressQuery {
  /** Absolute names; the first that exists is used. */
  readonly candidates: readonly string[];
  readonly families: readonly Family[];
  /** The system's if undefined. */
  readonly nameServers: readonly string[] | undefined;
  /** For the first attempt with each server. */
  readonly timeoutMs: number;
  /** Cancels the lookup, which rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

export interface FoundAddresses {
  readonly addresses: readonly LookupAddress[];
  /** Seconds: the lowest of all records. */
  readonly ttlSeconds: number;
}

type Outcome =
  | { readonly kind: 'found'; readonly addresses: readonly LookupAddress[]; readonly ttlSeconds: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly code: string };

// Some name servers never answer queries for IPv6.
const otherFamilyTimeoutMs = 300;
const maxAttempts = 2;
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

/** Queries all families at once. Once one has found addresses, the others have only a short time left. */
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
        else if (outcome.kind === 'found') timer ??= setTimeout(finish, otherFamilyTimeoutMs);
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
 * Queries name servers directly instead of calling `getaddrinfo`, which occupies one of libuv's four threads for as
 * long as a dead name server keeps it waiting. Each lookup has its own resolver, so it can be cancelled separately,
 * sends from its own port, and rereads the system's name servers.
 *
 * A failed query ends the lookup. While a cluster's name server is down, continuing with the next candidate could
 * resolve an internal name to the owner of the same name on the internet.
 *
 * @throws NameNotResolved or the signal's reason
 */
export async function queryAddresses(query: AddressQuery): Promise<FoundAddresses> {
  const { candidates, families, nameServers, timeoutMs, signal } = query;
  const resolver = new Resolver({ timeout: timeoutMs, tries: maxAttempts });
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
