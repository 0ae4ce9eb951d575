import { type BackgroundJob, milliseconds, retryDeadlock } from '@waiver-service/database';
import { afterCancelMs, cancelMessages, dispatchWithdrawal, removeDeliveries } from '@waiver-service/outbox';
import { eraseLateSignings, eraseSigned } from '@waiver-service/signing/data';
import {
  type Database,
  type DatabaseTransaction,
  emptyWaivers,
  eraseBookings,
  eraseBookingsNaming,
  type HashEmail,
  readRecipients,
  recordOf,
  reopenDeliveries,
  type StoreContext,
  unlistErased,
  type WaiverRow,
  waiverColumns,
  withdrawAnswers,
} from '@waiver-service/store/features';
import { bookingOf, planErasure, type Recipients, type WaiverRecord } from '@waiver-service/waivers';
import { sql } from 'kysely';

interface NotifiedRow {
  readonly waiverId: string;
  readonly destination: string;
}

/** The recipients to notify of a waiver's erasure. */
type NotifiedRecipients = (waiver: WaiverRecord) => Recipients;

/**
 * Finds the destinations that received waivers of a pool and must be notified that they are gone. If a waiver's
 * deliveries may have been pruned, these are the destinations that existed at its last change. A destination that has
 * accepted a void, or is about to be sent it, is not notified again.
 *
 * @param retentionMs how long deliveries are kept.
 */
async function readNotifiedRecipients(
  transaction: DatabaseTransaction,
  waivers: readonly WaiverRecord[],
  { pool, recipients, retentionMs }: { pool: string; recipients: Recipients; retentionMs: number },
): Promise<NotifiedRecipients> {
  const { rows } = await sql<NotifiedRow>`
select w.id as waiver_id, t.id as destination
from waiver w cross join destination t
left join lateral (
  select d.id, e.state from delivery d left join ended e on e.id = d.id and e.pool = d.pool
  where d.pool = w.pool and d.waiver_id = w.id and d.destination = t.id
  order by d.version desc limit 1) newest on true
where w.pool = ${pool} and w.id = any (${waivers.map(({ id }) => id)}::text[])
  and t.pool = ${pool} and t.status <> 'closed'
  and case
    when w.deleted then newest.state = 'dead'
    when newest.id is not null then true
    else t.created_at <= w.updated_at
      and w.updated_at < now() - ${milliseconds(retentionMs)} end`.execute(transaction);
  const notified = new Map(
    [...Map.groupBy(rows, ({ waiverId }) => waiverId)].map(([waiverId, of]) => [
      waiverId,
      new Set(of.map(({ destination }) => destination)),
    ]),
  );
  return ({ id }) => {
    const destinations = notified.get(id) ?? new Set();
    return {
      installations: recipients.installations.filter(({ destination }) => destinations.has(destination)),
      webhooks: recipients.webhooks.filter(({ destination }) => destinations.has(destination)),
    };
  };
}

/** The e-mail addresses of records. */
interface GuestAddresses {
  /** Their current addresses. */
  readonly emails: readonly string[];
  /** Keyed hashes of their previous addresses. */
  readonly former: readonly Buffer[];
  /** Keyed hashes of all addresses of one of the records. */
  hashesOf(record: WaiverRecord): readonly Buffer[];
}

const emailOf = ({ answers: { email } }: WaiverRecord) =>
  typeof email === 'string' && email.trim() !== '' ? [email.trim()] : [];

async function readGuestAddresses(
  transaction: DatabaseTransaction,
  hashEmail: HashEmail,
  pool: string,
  records: readonly WaiverRecord[],
): Promise<GuestAddresses> {
  const rows = await transaction
    .selectFrom('formerEmail')
    .select(['waiverId as id', 'hash'])
    .where('pool', '=', pool)
    .where(sql<boolean>`waiver_id = any (${records.map(({ id }) => id)}::text[])`)
    .execute();
  return {
    emails: records.flatMap(emailOf),
    former: rows.map(({ hash }) => hash),
    hashesOf: (record) => [
      ...emailOf(record).flatMap((email) => hashEmail(pool, email) ?? []),
      ...rows.flatMap(({ id, hash }) => (id === record.id ? hash : [])),
    ],
  };
}

interface DueErasure {
  readonly id: string;
  readonly pool: string;
  /** Whether the deadline for notifying destinations has passed. */
  readonly isLate: boolean;
}

// Small, so that transactions are short: each waiver may have several destinations.
const maxWaivers = 20;
const maxDeliveries = 500;

/** Locks the longest-overdue erasure that no other host is working on. */
async function lockDue(transaction: DatabaseTransaction): Promise<DueErasure | undefined> {
  const { rows } = await sql<DueErasure>`
select id, pool, give_up_at <= now() as is_late from erasure
where state = 'telling' and due_at <= now() order by due_at limit 1 for update skip locked`.execute(
    transaction,
  );
  return rows[0];
}

/** Effects of a batch, announced after its commit. */
interface Scrubbed {
  readonly pool: string;
  readonly changed: readonly string[];
  readonly enqueued: number;
  readonly withdrawn: readonly string[];
}

/**
 * Takes records back from the destinations that have them, and empties them. The takebacks contain no answers, and
 * older messages that may still be sent lose theirs.
 *
 * Lock order, as in a change: waivers, stored bookings, destinations, messages.
 */
async function scrubWaivers(
  transaction: DatabaseTransaction,
  { id, pool }: DueErasure,
  {
    retentionMs,
    hashEmail,
    features,
  }: { readonly retentionMs: number } & Pick<StoreContext, 'hashEmail' | 'features'>,
): Promise<Scrubbed> {
  const { rows } = await sql<WaiverRow>`
select ${waiverColumns} from waiver w where w.erasure = ${id} and w.erased_at is null
order by w.id limit ${maxWaivers}::integer for update of w`.execute(transaction);
  const formers = rows.map(recordOf);
  const reading = (await readRecipients(transaction, [pool])).get(pool);
  if (formers.length === 0 || reading === undefined) return { pool, changed: [], enqueued: 0, withdrawn: [] };
  const addresses = await readGuestAddresses(transaction, hashEmail, pool, formers);
  const { emails } = addresses;
  const erased = {
    emails,
    formerAddresses: addresses.former,
    bookings: formers.flatMap((former) => {
      const booking = bookingOf(former);
      const { bookingGuestId } = former;
      return booking === undefined
        ? []
        : { ...booking, addresses: addresses.hashesOf(former), bookingGuestId };
    }),
  };
  for (const { personalData } of features)
    await personalData?.eraseMessages?.(transaction, { hashEmail }, pool, erased);
  await eraseBookings(
    transaction,
    formers.flatMap((former) => bookingOf(former) ?? []),
  );
  await eraseBookingsNaming(transaction, pool, emails);
  await eraseLateSignings(transaction, pool, {
    emailHashes: formers.flatMap(addresses.hashesOf),
    waiverIds: formers.map((former) => former.id),
  });
  const { now, recipients } = reading;
  const notified = await readNotifiedRecipients(transaction, formers, { pool, recipients, retentionMs });
  const plans = formers.map((former) => planErasure(former, { now, recipients: notified(former) }));
  const { changed, enqueued } = await emptyWaivers(transaction, pool, plans);
  for (const { personalData } of features) await personalData?.eraseOfWaivers?.(transaction, pool, formers);
  await eraseSigned(transaction, pool, changed);
  const withdrawn: string[] = [];
  for (const [place, former] of formers.entries()) {
    const next = plans[place]?.next;
    if (next && (await withdrawAnswers(transaction, former, next))) withdrawn.push(former.id);
  }
  return { pool, changed, enqueued, withdrawn };
}

/** The deliveries `d` of an erasure's emptied records `w`. */
const deliveriesOf = ({ id }: DueErasure) => sql`
waiver w join delivery d on d.pool = w.pool and d.waiver_id = w.id where w.erasure = ${id}`;

/**
 * Whether a delivery `d` takes the waiver `w` back from its current booking, or from one that it left and never
 * returned to.
 */
const takesBack = sql`(d.version = w.version or d.takeback and not exists (
  select from delivery n where n.pool = d.pool and n.waiver_id = d.waiver_id and n.destination = d.destination
    and n.booking_id is not distinct from d.booking_id and n.version > d.version))`;

/**
 * Removes ended deliveries. A dead letter that would have taken the record back stays until the deadline, so that it
 * can be resent.
 */
function removeEnded(transaction: DatabaseTransaction, erasure: DueErasure): Promise<number> {
  const isOver = erasure.isLate
    ? sql`true`
    : sql`not (${takesBack} and exists (
      select from ended f join destination t on t.id = d.destination and t.status <> 'closed'
      where f.id = d.id and f.pool = d.pool and f.state = 'dead'))`;
  const isWaiting = sql`exists (
    select from pending q where q.destination = d.destination and q.id = d.id and q.pool = d.pool)`;
  return removeDeliveries(
    transaction,
    sql`select d.id, d.pool from ${deliveriesOf(erasure)} and not ${isWaiting} and ${isOver}
      limit ${maxDeliveries}::integer`,
  );
}

/** Makes the erasure due again, after `waitMs` or with backoff: from a second to five minutes. */
async function lookAgain(database: Database, { id }: DueErasure, waitMs?: number): Promise<void> {
  const wait =
    waitMs === undefined
      ? sql`least(interval '5 minutes', interval '1 second' + (now() - asked_at) / 4)`
      : milliseconds(waitMs);
  await sql`update erasure set due_at = now() + ${wait} where id = ${id}`.execute(database);
}

/** Ends the erasure if nothing of its records is left. @returns whether it has ended */
async function endIfDone(transaction: DatabaseTransaction, erasure: DueErasure): Promise<boolean> {
  await unlistErased(transaction, erasure.id);
  const { numAffectedRows } = await sql`
update erasure set state = 'done', done_at = date_trunc('milliseconds', now()), email_hash = null
where id = ${erasure.id} and not exists (select from ${deliveriesOf(erasure)})`.execute(transaction);
  return numAffectedRows === 1n;
}

/** Dead letters that would have taken back records of running erasures, last tried over a day ago. */
async function deadMessages(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
select d.id from erasure r
join waiver w on w.erasure = r.id
join delivery d on d.pool = w.pool and d.waiver_id = w.id and ${takesBack}
join ended e on e.id = d.id and e.pool = d.pool and e.state = 'dead'
where r.state = 'telling' and r.due_at <= now() and r.give_up_at > now() and w.erased_at is not null
  and d.created_at < now() - interval '1 day' and not exists (
    select from attempt a where a.delivery = d.id and a.at > now() - interval '1 day')
limit ${maxDeliveries}::integer`.execute(database);
  return rows.map(({ id }) => id);
}

/**
 * The job that erases guests. Each batch takes the longest-overdue erasure: it empties some records and notifies the
 * destinations that have them, then removes their ended messages, until nothing is left. After the deadline, it cancels
 * pending messages.
 *
 * @param deliveryRetentionMs how long deliveries are kept
 */
export function createErasureJob(
  { database, notifications, hashEmail, features }: StoreContext,
  deliveryRetentionMs: number,
): BackgroundJob {
  async function work(transaction: DatabaseTransaction, erasure: DueErasure): Promise<Scrubbed | 'more'> {
    const scrubbed = await scrubWaivers(transaction, erasure, {
      retentionMs: deliveryRetentionMs,
      hashEmail,
      features,
    });
    if (scrubbed.changed.length > 0) return scrubbed;
    if ((await removeEnded(transaction, erasure)) === maxDeliveries) return 'more';
    if (await endIfDone(transaction, erasure)) return 'more';
    const waiting = sql`select d.destination, d.id, d.pool from ${deliveriesOf(erasure)}`;
    if (erasure.isLate && (await cancelMessages(transaction, waiting)))
      await lookAgain(transaction, erasure, afterCancelMs);
    else await lookAgain(transaction, erasure);
    return 'more';
  }

  /** A failing erasure is rescheduled behind the others. */
  async function workOnNext(): Promise<Scrubbed | 'idle' | 'more'> {
    let erasure: DueErasure | undefined;
    try {
      return await database.transaction().execute(async (transaction) => {
        erasure = await lockDue(transaction);
        return erasure === undefined ? 'idle' : work(transaction, erasure);
      });
    } catch (error) {
      if (erasure !== undefined) await lookAgain(database, erasure).catch(() => {});
      throw error;
    }
  }

  return {
    name: 'erasing guests',
    async runBatch() {
      const dead = await deadMessages(database);
      if (dead.length > 0) await retryDeadlock(() => reopenDeliveries(database, dead));
      const result = await retryDeadlock(workOnNext);
      if (result === 'idle' || result === 'more') return result === 'more';
      for (const waiverId of result.withdrawn) dispatchWithdrawal(notifications, { waiverId });
      if (result.enqueued > 0) notifications.announce('outbox');
      notifications.announce('changes');
      return true;
    },
  };
}
