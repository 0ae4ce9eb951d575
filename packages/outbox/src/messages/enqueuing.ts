import { type RawBuilder, sql } from 'kysely';
import type { DestinationKind } from './delivery-types.ts';

/**
 * Parts of a `with` that enqueue messages which no waiver causes, for the rows of its part `message`: `id` (a UUID),
 * `pool`, `destination`, `ordering_key` and `body`. Those with the same key are sent in order. None supersedes another,
 * since each has a different id in place of a waiver's. Notify the channel `outbox` in the same transaction, or announce
 * it after the commit.
 */
export const enqueuing = (kind: DestinationKind): RawBuilder<unknown> => sql`
enqueued as (
  insert into delivery (pool, id, destination, kind, ordering_key, waiver_id, version, booking_id, takeback, body,
    created_at)
  select pool, id, destination, ${sql.lit(kind)}, ordering_key, id::text, 1, null, false, body,
    date_trunc('milliseconds', now())
  from message),
waiting as (
  insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, booking_id, takeback, due_at)
  select destination, id, pool, ordering_key, nextval('outbox_sequence'), id::text, null, false, now() from message)`;
