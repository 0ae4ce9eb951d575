import { type RawBuilder, sql } from 'kysely';

/**
 * A part of a `with` that marks waivers as signed by a signing: those of its part `given`, by `waiver_id`. Their later
 * changes are then events of the signing.
 */
export const markSigned = (pool: string, signing: string): RawBuilder<unknown> => sql`
marked as (update waiver w set signing = ${signing} from given g where w.pool = ${pool} and w.id = g.waiver_id)`;
