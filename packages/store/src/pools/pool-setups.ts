import type { TokenScope } from '@waiver-service/api';
import { batchCalls, prepared } from '@waiver-service/database';
import { sql } from 'kysely';
import { settingsVersion } from '../database/destination-owners.ts';
import type { Notifications } from '../database/notifications.ts';
import type { Database } from '../database/tables.ts';
import { hashSecret, isSameHash, isUnexpired } from '../keys/secret.ts';

/** The pool to read: by the hash of an access token, or by id. */
type PoolQuestion =
  | { readonly tokenHash: Buffer; readonly pool?: never }
  | { readonly pool: string; readonly tokenHash?: never };

/** A row of a pool: one for each installation, or one if there is none. */
interface PoolRow {
  /** The question that the row answers. */
  readonly place: number;
  readonly token: string | null;
  readonly hash: Buffer | null;
  readonly scopes: TokenScope[] | null;
  /** Milliseconds until the token expires; null if it does not. */
  readonly expiresMs: number | null;
  /** Whether the token's last use was recorded so long ago that it should be recorded again. */
  readonly isUseWorthWriting: boolean;
  readonly pool: string;
  readonly prefillProperties: string[];
  readonly defaultBookingSystem: string | null;
  readonly timeZone: string;
  readonly bookingSystem: string | null;
  readonly pending: boolean | null;
  readonly destinationId: string | null;
  readonly settingsVersion: string;
  /** Milliseconds until the booking system may be called again; 0 if it may. */
  readonly heldMs: number;
}

/** Answers several questions in one statement; a question without an answer has no row. */
async function readPools(
  database: Database,
  questions: readonly PoolQuestion[],
): Promise<readonly PoolRow[]> {
  const places = questions.map((_, place) => place);
  const hashes = questions.map(({ tokenHash }) => tokenHash ?? null);
  const pools = questions.map(({ pool }) => pool ?? null);
  const { rows } = await sql<PoolRow>`${prepared}
select q.place, t.id as token, t.hash, t.scopes,
  extract(epoch from t.expires_at - now())::double precision * 1000 as expires_ms,
  coalesce(t.last_used_at <= now() - interval '1 minute', true) as is_use_worth_writing,
  p.id as pool, p.prefill_properties, p.default_booking_system, p.time_zone, i.booking_system,
  i.status = 'pending' as pending, i.destination_id, ${settingsVersion} as settings_version,
  greatest(coalesce(extract(epoch from d.held_until - now()), 0), 0)::double precision * 1000 as held_ms
from unnest(${places}::integer[], ${hashes}::bytea[], ${pools}::text[]) q (place, hash, pool)
left join access_token t on t.hash = q.hash and ${isUnexpired(sql`t.expires_at`)}
join pool p on p.id = coalesce(t.pool, q.pool)
left join installation i on i.pool = p.id and i.status <> 'uninstalled'
left join booking_system b on b.install_name = i.booking_system
left join destination d on d.id = i.destination_id
order by q.place, i.booking_system`.execute(database);
  return rows;
}

/** Records the use of tokens. Skips a token that another call is recording. */
async function writeUses(database: Database, tokens: readonly string[]): Promise<void> {
  await sql`
    update access_token set last_used_at = date_trunc('milliseconds', now())
    where id in (select id from access_token where id = any(${tokens}::text[]) for no key update skip locked)`.execute(
    database,
  );
}

const maxBatchSize = 256;

/** A destination's configuration at one moment. */
export interface DestinationVersion {
  readonly destination: string;
  /** Changes whenever any part of the configuration is written. */
  readonly settingsVersion: string;
}

/** An installation as it is set up at one moment. */
export interface InstalledVersion extends DestinationVersion {
  /** When the booking system may be called again after asking for fewer requests; by `performance.now()`. */
  readonly heldUntil: number;
}

/** The configuration of a pool that serving a request needs. */
export interface PoolSetup {
  readonly pool: string;
  /** Properties that are pre-filled in addition to name, email and phoneNumber. */
  readonly prefillProperties: readonly string[];
  /** The install names of the installed booking systems, sorted. */
  readonly bookingSystems: readonly string[];
  /** The install names of the booking systems that await an operator's approval. */
  readonly pendingBookingSystems: readonly string[];
  /** The installed booking system of requests that name none. */
  readonly defaultBookingSystem: string | null;
  /** IANA time zone of the pool's days. */
  readonly timeZone: string;
  /** The version of a booking system's installation; undefined if it is not installed. */
  versionOf(bookingSystem: string): InstalledVersion | undefined;
}

/** The setup of a pool for the requests of one of its access tokens. */
export interface TokenSetup extends PoolSetup {
  readonly token: { readonly id: string; readonly scopes: readonly TokenScope[] };
}

/** Reads the setup that serving a request needs. Concurrent calls are batched into one statement. */
export interface PoolSetups extends ReturnType<typeof createPoolSetups> {}

/** A setup as read, for a pool or one of its tokens. */
interface FoundSetup extends PoolSetup {
  readonly token: TokenSetup['token'] | undefined;
  /** When the token expires; by `performance.now()`. */
  readonly expiresAt: number;
}

const isOfToken = (setup: FoundSetup): setup is FoundSetup & TokenSetup => setup.token !== undefined;

/** @param askedAt - when the query began, by `performance.now()`: counted from then, no token expires late */
function setupOf(rows: readonly PoolRow[], askedAt: number): FoundSetup | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const { pool, prefillProperties, defaultBookingSystem } = first;
  const { timeZone } = first;
  const { token: id, scopes, expiresMs } = first;
  const versions = new Map<string, InstalledVersion>();
  const pendingBookingSystems: string[] = [];
  const now = performance.now();
  for (const { bookingSystem, destinationId: destination, settingsVersion, heldMs, pending } of rows) {
    if (bookingSystem === null || destination === null) continue;
    const version = { destination, settingsVersion, heldUntil: now + heldMs };
    if (pending) pendingBookingSystems.push(bookingSystem);
    else versions.set(bookingSystem, version);
  }
  return {
    pool,
    prefillProperties,
    bookingSystems: [...versions.keys()],
    pendingBookingSystems,
    defaultBookingSystem,
    timeZone,
    versionOf: (bookingSystem) => versions.get(bookingSystem),
    token: id === null || scopes === null ? undefined : { id, scopes },
    expiresAt: askedAt + (expiresMs ?? Number.POSITIVE_INFINITY),
  };
}

const opens = ({ tokenHash }: PoolQuestion, { hash }: PoolRow) =>
  tokenHash === undefined || (hash !== null && isSameHash(hash, tokenHash));

interface CachedSetup {
  readonly setup: FoundSetup;
  readonly expiresAt: number;
}

// A cached setup can be this old only if the notification of a change was lost.
const maxAgeMs = 1_000;
const maxCached = 10_000;

/**
 * Creates the cache of pool setups. An entry is used for a second at most. A change by this process clears the cache at
 * once, one by another process as soon as its notification arrives.
 */
export function createPoolSetups(database: Database, notifications: Notifications) {
  const cache = new Map<string, CachedSetup>();
  let generation = 0;

  const find = batchCalls<PoolQuestion, FoundSetup | undefined>({
    maxBatchSize,
    async run(questions) {
      const askedAt = performance.now();
      const rows = await readPools(database, questions);
      const used = rows.filter(({ isUseWorthWriting }) => isUseWorthWriting);
      const tokens = used.flatMap(({ token }) => token ?? []);
      if (tokens.length > 0) await writeUses(database, tokens);
      const rowsOf = Map.groupBy(rows, ({ place }) => place);
      return questions.map((question, place) => {
        const answers = (rowsOf.get(place) ?? []).filter((row) => opens(question, row));
        return { status: 'fulfilled', value: setupOf(answers, askedAt) };
      });
    },
  });

  function clear(): void {
    generation += 1;
    cache.clear();
  }

  async function findCached(key: string, question: PoolQuestion): Promise<FoundSetup | undefined> {
    const now = performance.now();
    const cached = cache.get(key);
    if (cached !== undefined && cached.expiresAt > now) return cached.setup;
    const requestedIn = generation;
    const setup = await find(question);
    // If something changed meanwhile, it may be outdated.
    if (setup === undefined || requestedIn !== generation) return setup;
    if (cache.size >= maxCached) cache.clear();
    cache.set(key, { setup, expiresAt: Math.min(now + maxAgeMs, setup.expiresAt) });
    return setup;
  }

  notifications.listen('setups', clear);
  return {
    /** The setup of the pool that an access token belongs to; undefined for an unknown or expired token. */
    async ofToken(token: string): Promise<TokenSetup | undefined> {
      const tokenHash = hashSecret(token);
      const setup = await findCached(`token ${tokenHash.toString('base64')}`, { tokenHash });
      return setup !== undefined && isOfToken(setup) ? setup : undefined;
    },
    /** The setup of a pool; undefined for an unknown pool. */
    ofPool: (pool: string): Promise<PoolSetup | undefined> => findCached(`pool ${pool}`, { pool }),
  };
}
