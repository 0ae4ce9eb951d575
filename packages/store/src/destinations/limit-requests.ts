import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';

/** The most that may be sent to a destination in a time. */
export interface RequestLimit {
  readonly requests: number;
  readonly perSeconds: number;
}

/** Sets or lifts the limit of a destination. What was taken already stays taken. */
export async function limitRequests(
  transaction: DatabaseTransaction,
  destination: string,
  limit: RequestLimit | undefined,
): Promise<void> {
  if (limit === undefined) {
    await sql`delete from request_limit where destination = ${destination}`.execute(transaction);
    return;
  }
  const { requests, perSeconds } = limit;
  await sql`
insert into request_limit (destination, requests, window_ms) values (${destination}, ${requests}, ${perSeconds * 1_000})
on conflict (destination) do update set requests = excluded.requests, window_ms = excluded.window_ms`.execute(
    transaction,
  );
}
