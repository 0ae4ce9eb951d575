import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // A created resource has an id only at the end of the request, so the target is set with the status.
  sql`create or replace function keep_audit_entry() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and old.status is null and new.status is not null
        and to_jsonb(new) - 'status' - 'target' = to_jsonb(old) - 'status' - 'target' then return new;
      end if;
      if tg_op = 'DELETE' and current_setting('waiver_service.prunes_audit_entries', true) = 'on' then
        return old;
      end if;
      raise exception 'audit_entry is append-only';
    end $$`,
];

/** Entries of the audit log name what was created. */
export const auditTargets: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};
