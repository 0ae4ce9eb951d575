import { type RawBuilder, sql } from 'kysely';

/**
 * A statement, or part of one, that sends nothing to destinations whose authorization is lost before a time; null: they are
 * sent to again.
 *
 * @param held - a query of the ids of destinations, and of these times
 */
export const holdUnauthorized = (held: RawBuilder<unknown>): RawBuilder<unknown> => sql`
update destination d set unauthorized_until = h.until from (${held}) h (destination, until)
where d.id = h.destination and d.status <> 'closed'`;
