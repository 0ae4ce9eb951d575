import { type RawBuilder, sql } from 'kysely';

/**
 * A part of a `with` that marks waivers as signed by a signing. Their later changes are then events of the signing.
 *
 * By an array of ids, which leaves PostgreSQL only the waivers' key: joined to a part of the `with`, they would be looked
 * for among all of the pool's waivers while statistics are poor.
 */
export const markSigned = (pool: string, ids: readonly string[], signing: string): RawBuilder<unknown> => sql`
marked as (
  update waiver w set signing = ${signing} where w.pool = ${pool} and w.id = any (${[...ids]}::text[]))`;
