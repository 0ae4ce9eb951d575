import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

/** The age of the oldest rows. */
export interface OldestKept {
  /** `waiver`: only records that a retention applies to, with their age from when it began. */
  readonly kind: 'delivery' | 'waiver';
  readonly ageSeconds: number;
}

/** Reads the age of the oldest rows, by index lookups. */
export async function oldestKept(database: Database): Promise<readonly OldestKept[]> {
  const { rows } = await sql<{ kind: OldestKept['kind']; at: Date | null }>`
select 'delivery' as kind, (select d.created_at from delivery d order by d.id limit 1) as at
union all
select 'waiver', min(w.at) from pool p cross join lateral (
  select retention_start(w.last_visit, w.answers) as at from waiver w
  -- Without the column's collation, its index would not be used.
  where w.pool = p.id collate "default" and w.hold_reason is null and w.erasure is null
  order by retention_start(w.last_visit, w.answers) limit 1) w
where p.retention_waivers_days is not null`.execute(database);
  return rows.flatMap(({ kind, at }) =>
    at === null ? [] : { kind, ageSeconds: Math.max(0, (Date.now() - at.getTime()) / 1_000) },
  );
}
