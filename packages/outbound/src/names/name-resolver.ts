import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The message is the reason, worded to follow "the name does not resolve". */
export class NameNotResolved extends Error {
  override readonly name = 'NameNotResolved';
}

/** An address family, as Node's `net` numbers it. */
type Family = 4 | 6;

const bothFamilies: readonly Family[] = [6, 4];

/**
 * The families of which this machine has a routable address, IPv6 first (RFC 8305); others could not be connected to.
 * Both if it has only loopback and link-local addresses.
 */
function localFamilies(): readonly Family[] {
  const routable = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const families = bothFamilies.filter((family) =>
    routable.some((address) => address.family === `IPv${family}`),
  );
  return families.length > 0 ? families : bothFamilies;
}

interface AddressQuery {
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

interface FoundAddresses {
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
async function queryAddresses(query: AddressQuery): Promise<FoundAddresses> {
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

/**
 * Reads a small system file, and reparses it only when it has changed. An unreadable file counts as empty. Synchronous
 * on purpose: asynchronous file calls wait for one of libuv's few threads, which slow calls may occupy.
 */
function createFileReader<Content>(path: string, parse: (text: string) => Content): () => Content {
  let version = '';
  let content = parse('');
  return () => {
    try {
      const { mtimeMs, size, ino } = statSync(path);
      const current = `${mtimeMs} ${size} ${ino}`;
      if (current !== version) {
        content = parse(readFileSync(path, 'utf8'));
        version = current;
      }
    } catch {
      content = parse('');
      version = '';
    }
    return content;
  };
}

/** The addresses in a hosts file, by lower-case name. */
function parseHostsFile(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const addresses = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((listed) => listed.toLowerCase())) {
      addresses.set(name, [...(addresses.get(name) ?? []), { address, family }]);
    }
  }
  return addresses;
}

/** The search list of a resolv.conf. */
interface SearchList {
  readonly domains: readonly string[];
  /** A name with at least this many dots is first queried unchanged, before domains are appended. */
  readonly ndots: number;
}

const maxNdots = 15;

/** Parses `search`, `domain` and `options ndots` of a resolv.conf. The last of `search` and `domain` wins. */
function parseSearchList(text: string): SearchList {
  let domains: readonly string[] = [];
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (keyword === 'search') domains = values;
    if (keyword === 'domain') domains = values.slice(0, 1);
    if (keyword !== 'options') continue;
    for (const option of values) {
      const [, number] = /^ndots:(\d+)$/.exec(option) ?? [];
      if (number !== undefined) ndots = Math.min(Number(number), maxNdots);
    }
  }
  return { domains: domains.map((domain) => domain.replace(/\.$/, '')).filter(Boolean), ndots };
}

/** The absolute names to query for a name, in the system resolver's order. */
function candidatesOf(name: string, { domains, ndots }: SearchList): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const completed = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length - 1 >= ndots ? [name, ...completed] : [...completed, name];
}

export interface NameResolver {
  /** At least one address, in the order to try them. @throws NameNotResolved */
  resolve(hostname: string): Promise<readonly LookupAddress[]>;
}

/** Name servers and files default to the system's; tests replace them. */
export interface NameResolverOptions {
  /** For a whole lookup. */
  readonly deadlineMs: number;
  /** Addresses, with the port unless it is 53. */
  readonly nameServers?: readonly string[];
  readonly hostsFile?: string;
  readonly resolvConf?: string;
  readonly families?: readonly Family[];
  /** The maximum number of concurrent lookups. */
  readonly maxLookups?: number;
}

interface CachedAnswer {
  readonly answer: Promise<readonly LookupAddress[]>;
  /** By `performance.now()`; infinite during the lookup. */
  expiresAt: number;
}

const maxTtlSeconds = 30;
const failureTtlSeconds = 1;
const maxCachedNames = 1_000;
const defaultMaxLookups = 256;

// c-ares doubles the timeout with each attempt: the second one takes the other two thirds of the deadline.
const firstAttemptShare = 1 / 3;

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Resolves names with a deadline for each lookup, one lookup per name at a time, and a cache: addresses are cached for
 * their TTL, at most 30 s, failures for one second.
 *
 * At `maxLookups`, a new lookup cancels the one that has run longest. A working name server answers in a fraction of
 * the deadline, so the cancelled ones are those of dead name servers.
 */
export function createNameResolver(options: NameResolverOptions): NameResolver {
  const { deadlineMs, nameServers, maxLookups = defaultMaxLookups } = options;
  const hostsFile = createFileReader(options.hostsFile ?? '/etc/hosts', parseHostsFile);
  const searchList = createFileReader(options.resolvConf ?? '/etc/resolv.conf', parseSearchList);
  const cache = new Map<string, CachedAnswer>();
  // In order of their start.
  const running = new Set<AbortController>();

  function makeRoom(): void {
    const [oldest] = running;
    if (oldest === undefined || running.size < maxLookups) return;
    running.delete(oldest);
    oldest.abort(new NameNotResolved('too many other names are being looked up'));
  }

  async function lookUp(name: string) {
    makeRoom();
    const abort = new AbortController();
    running.add(abort);
    const timedOut = new NameNotResolved(`its name servers did not answer within ${deadlineMs} ms`);
    const timer = setTimeout(() => abort.abort(timedOut), deadlineMs);
    try {
      return await queryAddresses({
        candidates: candidatesOf(name, searchList()),
        families: options.families ?? localFamilies(),
        nameServers,
        timeoutMs: Math.ceil(deadlineMs * firstAttemptShare),
        signal: abort.signal,
      });
    } finally {
      clearTimeout(timer);
      running.delete(abort);
    }
  }

  function startLookUp(name: string): CachedAnswer {
    const expireAfter = (seconds: number) => {
      entry.expiresAt = performance.now() + seconds * 1000;
    };
    const answer = lookUp(name).then(
      ({ addresses, ttlSeconds }) => {
        expireAfter(Math.min(ttlSeconds, maxTtlSeconds));
        return addresses;
      },
      (error: unknown) => {
        expireAfter(failureTtlSeconds);
        throw error;
      },
    );
    const entry: CachedAnswer = { answer, expiresAt: Number.POSITIVE_INFINITY };
    // Deleted first, so that the cache is ordered by lookup time.
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
      // RFC 6761. Resolvers differ on spellings with a trailing dot.
      if (/(?:^|\.)localhost$/.test(withoutDot)) return loopback;
      const listed = hostsFile().get(withoutDot);
      if (listed !== undefined) return listed;
      const cached = cache.get(name);
      const isFresh = cached !== undefined && performance.now() < cached.expiresAt;
      return (isFresh ? cached : startLookUp(name)).answer;
    },
  };
}
