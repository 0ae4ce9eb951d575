import type { WaiverPlan } from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';

/** Erases the values of the answers that a change removed from the waiver's earlier versions. Removals are rare. */
export async function forgetAnswers(
  transaction: DatabaseTransaction,
  { next, changes }: WaiverPlan,
): Promise<void> {
  const removed = Object.entries(changes?.answers ?? {}).flatMap(([name, { kind }]) =>
    kind === 'removed' ? [name] : [],
  );
  if (removed.length === 0) return;
  await sql`
update waiver_version v set answer_changes = (
  select json_object_agg(a.name, case when a.name = any (${removed}::text[])
    then json_build_object('kind', a.change ->> 'kind') else a.change end)
  from json_each(v.answer_changes::json) a (name, change))
where v.pool = ${next.pool} and v.waiver_id = ${next.id} and v.answer_changes is not null and exists (
  select from json_object_keys(v.answer_changes::json) k (name) where k.name = any (${removed}::text[]))`.execute(
    transaction,
  );
}
