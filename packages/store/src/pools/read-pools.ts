import type { TokenScope } from '@waiver-service/api';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { settingsVersion } from '../database/settings-version.ts';
import { isUnexpired } from '../keys/key-info.ts';

/** The pool to read: by the hash of an access token, or by id. */
export type PoolQuestion =
  | { readonly tokenHash: Buffer; readonly pool?: never }
  | { readonly pool: string; readonly tokenHash?: never };

/** A row of a pool: one for each installation, or one if there is none. */
export interface PoolRow {
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
export async function readPools(
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
export async function writeUses(database: Database, tokens: readonly string[]): Promise<void> {
  await sql`
    update access_token set last_used_at = date_trunc('milliseconds', now())
    where id in (select id from access_token where id = any(${tokens}::text[]) for no key update skip locked)`.execute(
    database,
  );
}
