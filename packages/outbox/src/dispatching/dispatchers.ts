import { randomUUID } from 'node:crypto';
import { milliseconds, prepared } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../data/tables.ts';
import { notify } from '../outbox-context.ts';

/** A claiming dispatcher. */
export interface ClaimingDispatcher {
  readonly dispatcher: string;
  /** 0 at first, then the last result of `voidLostClaims`. */
  readonly epoch: number;
}

/**
 * The CTE `fence`: one row while the dispatcher is registered. It makes a takeover wait until the statement's
 * transaction has ended, and is empty once a takeover has committed: writes joined to it are made by the owner or not at
 * all.
 */
export const fence = (dispatcher: string): RawBuilder<unknown> => sql`
fence as materialized (select d.id from dispatcher d where d.id = ${dispatcher}::uuid for key share)`;

/** The {@link fence} of a claim: empty, too, once the claims of its epoch are void (see `voidLostClaims`). */
export const claimFence = ({ dispatcher, epoch }: ClaimingDispatcher): RawBuilder<unknown> => sql`
fence as materialized (
  select d.id from dispatcher d
  where d.id = ${dispatcher}::uuid and d.claim_epoch = ${epoch}::integer for key share)`;

/** Registers a dispatcher and returns its id, which is new each time and so never confused with a previous one. */
export async function registerDispatcher(database: Database, leaseMs: number): Promise<string> {
  const id = randomUUID();
  await database.transaction().execute(async (transaction) => {
    await sql`
insert into dispatcher (id, lease_until)
values (${id}, now() + ${milliseconds(leaseMs)})`.execute(transaction);
    await notify(transaction, 'shards');
  });
  return id;
}

/** Renews the lease of a dispatcher. @returns false if another one has taken over */
export async function renewLease(database: Database, dispatcher: string, leaseMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`${prepared}
update dispatcher set lease_until = now() + ${milliseconds(leaseMs)}
where id = ${dispatcher}::uuid`.execute(database);
  return numAffectedRows === 1n;
}

/** Expires the lease of a dispatcher, or of all if none can be alive, so that the next takeover finds them. */
export async function expireLeases(database: Database, dispatcher?: string): Promise<void> {
  const which = dispatcher === undefined ? sql`true` : sql`id = ${dispatcher}::uuid`;
  await sql`update dispatcher set lease_until = now() where lease_until > now() and ${which}`.execute(
    database,
  );
}

/**
 * Balances shards evenly among live dispatchers: takes free ones, or gives up surplus ones. A shard with something in
 * flight is drained first: nothing more is claimed from it, and a later call gives it up. Must not run concurrently
 * with a claim of the same dispatcher.
 *
 * @param inUse shards with something in flight in this process.
 * @returns the number of shards being drained.
 */
export async function balanceShards(
  database: Database,
  dispatcher: string,
  inUse: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ draining: number; freed: number }>`${prepared}
with ${fence(dispatcher)},
share as materialized (
  select ceil((select count(*) from shard)::numeric / greatest(1, count(*)))::integer as size
  from dispatcher where lease_until > now()),
own as materialized (
  select s.id, s.draining, s.id = any (${[...inUse]}::smallint[]) as in_use,
    row_number() over (order by s.draining, s.id <> all (${[...inUse]}::smallint[]), s.id) as place
  from shard s where s.owner = ${dispatcher}::uuid),
judged as (
  select o.id, o.draining, o.place > share.size as is_excess, o.in_use from own o, share),
changed as (
  update shard s set owner = case when j.is_excess and not j.in_use then null else s.owner end,
    draining = j.is_excess and j.in_use
  from judged j, fence f
  where s.id = j.id and s.owner = f.id
    and (j.draining <> (j.is_excess and j.in_use) or (j.is_excess and not j.in_use))
  returning s.owner),
free as materialized (
  select s.id from shard s, share, fence
  where s.owner is null and (select count(*) from own) < share.size
  order by random() limit greatest(0, (select size from share) - (select count(*) from own)) for update of s skip locked),
taken as (update shard s set owner = f.id, draining = false from free, fence f where s.id = free.id)
select (select count(*)::integer from judged where is_excess and in_use) as draining,
  (select count(*)::integer from changed where owner is null) as freed`.execute(database);
  const { draining = 0, freed = 0 } = rows[0] ?? {};
  if (freed > 0) await notify(database, 'shards');
  return draining;
}

export async function freeShards(
  transaction: DatabaseTransaction,
  dispatchers: readonly string[],
): Promise<void> {
  await sql`
update shard set owner = null, draining = false where owner = any (${[...dispatchers]}::uuid[])`.execute(
    transaction,
  );
  await notify(transaction, 'shards');
}
