import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Something that happened once. */
export type AlertOccurrence =
  | {
      readonly event: 'fault';
      /** The failed part, such as `plugin bookeo`: the same fault again has the same subject. */
      readonly subject: string;
      /** A sentence for people, without secrets and guests' data. */
      readonly detail: string;
      readonly occurred: number;
    }
  | {
      readonly event: 'installation.auth_rejected';
      /** The installation's destination. */
      readonly subject: string;
      readonly pool: string;
    };

/** Whether there is any alert. */
export const hasAlerts: RawBuilder<boolean> = sql`exists (select from alert)`;

/** Stores what happened, if there are alerts. */
export async function noteOccurrence(database: Database, occurrence: AlertOccurrence): Promise<void> {
  const { event, subject } = occurrence;
  const pool = 'pool' in occurrence ? occurrence.pool : null;
  const { detail, occurred } = 'detail' in occurrence ? occurrence : { detail: null, occurred: 1 };
  await sql`
insert into alert_occurrence (event, subject, pool, occurred, detail)
select ${event}, ${subject}, ${pool}, ${occurred}::integer, ${detail} where ${hasAlerts}`.execute(database);
}

/**
 * The part of a statement that records dead letters, which counts them by destination if there are alerts: with the
 * fact itself, so that each is counted exactly once. Alerts themselves are never counted.
 *
 * @param dead - selects the `destination` and the `pool` of each
 */
export const noteDeadLetters = (dead: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into alert_occurrence (event, subject, pool, occurred)
  select 'delivery.dead', x.destination, x.pool, count(*) from (${dead}) x
  where x.pool <> '' and ${hasAlerts}
  group by x.destination, x.pool`;
