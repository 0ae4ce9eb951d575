import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** A one-time event. */
export type AlertOccurrence =
  | {
      readonly event: 'fault';
      /** The failed part, such as `plugin bookeo`; a repeated fault has the same subject. */
      readonly subject: string;
      /** A sentence for people, without secrets or guests' data. */
      readonly detail: string;
      readonly occurred: number;
    }
  | {
      readonly event: 'installation.auth_rejected';
      /** The installation's destination. */
      readonly subject: string;
      readonly pool: string;
    };

/** Whether any alert is configured. */
export const hasAlerts: RawBuilder<boolean> = sql`exists (select from alert)`;

/** Stores an event, if any alert is configured. */
export async function noteOccurrence(database: Database, occurrence: AlertOccurrence): Promise<void> {
  const { event, subject } = occurrence;
  const pool = 'pool' in occurrence ? occurrence.pool : null;
  const { detail, occurred } = 'detail' in occurrence ? occurrence : { detail: null, occurred: 1 };
  await sql`
insert into alert_occurrence (event, subject, pool, occurred, detail)
select ${event}, ${subject}, ${pool}, ${occurred}::integer, ${detail} where ${hasAlerts}`.execute(database);
}

/**
 * Counts dead letters by destination, if any alert is configured. Part of the statement that records them, so that each
 * is counted exactly once. Dead alerts are never counted.
 *
 * @param dead - selects the `destination` and the `pool` of each dead letter
 */
export const noteDeadLetters = (dead: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into alert_occurrence (event, subject, pool, occurred)
  select 'delivery.dead', x.destination, x.pool, count(*) from (${dead}) x
  where x.pool <> '' and ${hasAlerts}
  group by x.destination, x.pool`;
