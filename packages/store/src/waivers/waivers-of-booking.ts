import { batchCalls, prepared, retryDeadlock, rowsOf } from '@waiver-service/database';
import {
  type Actor,
  type BookingKey,
  type ChangeRefusal,
  draftUpdate,
  type MissingReference,
  type WaiverRecord,
} from '@waiver-service/waivers';
import { sql } from 'kysely';
import { bookingTypes, guestsFirst, idsOfBooking, referenceOf } from '../database/booking-ids.ts';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { type ChangeParts, changeInTransaction } from './change-waivers.ts';
import { lockGuests } from './signings.ts';
import type { Written } from './write-waivers.ts';

/** A waiver of a booking: whose it is, and whether it is finished. */
export interface BookingWaiver
  extends Pick<WaiverRecord, 'id' | 'bookingGuestId' | 'currentPage' | 'validUntil' | 'lastVisitSource'> {
  /** The answer `name`. */
  readonly name: string | null;
}

interface PlacedRow extends BookingWaiver {
  /** The position of its booking in the request. */
  readonly place: number;
}

const maxWaiversOfBooking = 1_000;
const maxBatchSize = 256;

async function readBatch(database: Database, wanted: readonly BookingKey[]) {
  const placed = wanted.map((booking, place) => ({ ...booking, place }));
  const { rows } = await sql<PlacedRow>`${prepared}
select b.place, w.id, w.booking_guest_id, w.current_page,
  w.valid_until, w.answers::json ->> 'name' as name, w.last_visit_source
from ${rowsOf(placed, 'b', { ...bookingTypes, place: 'integer' })}
cross join lateral (
  select o.* from (${idsOfBooking(referenceOf('b'))}) i
  join waiver o on o.pool = b.pool and o.booking_id = i.id and o.booking_system = b.booking_system
    and not o.deleted and o.erasure is null
  order by ${guestsFirst('o')}, o.updated_at, o.id limit ${maxWaiversOfBooking}) w
order by b.place, w.updated_at, w.id`.execute(database);
  return Map.groupBy(rows, ({ place }) => place);
}

const withoutPlace = ({ place: _, ...waiver }: PlacedRow): BookingWaiver => waiver;

/** Reads the waivers of a booking, in the caller's transaction. */
export async function readWaiversOf(database: Database, booking: BookingKey): Promise<BookingWaiver[]> {
  return ((await readBatch(database, [booking])).get(0) ?? []).map(withoutPlace);
}

/** Creates the function that reads the waivers of a booking. Concurrent calls are batched. */
export function createWaiversOfBooking(
  database: Database,
): (booking: BookingKey) => Promise<BookingWaiver[]> {
  return batchCalls<BookingKey, BookingWaiver[]>({
    maxBatchSize,
    async run(wanted) {
      const waiversAt = await readBatch(database, wanted);
      return wanted.map((_, place) => ({
        status: 'fulfilled',
        value: (waiversAt.get(place) ?? []).map(withoutPlace),
      }));
    },
  });
}

/** A waiver, and the guest to attach it to. */
export interface Attachment {
  readonly id: string;
  /** Null: attached to the booking only. */
  readonly bookingGuestId: string | null;
  /** `guest` or `booking`, if the booking system no longer knows the previous one. */
  readonly missing?: MissingReference | undefined;
}

/** Waivers to attach to a booking. */
export interface AttachRequest<Refusal> {
  /** By its own id. */
  readonly booking: BookingKey;
  /** The activities of the booking, for waivers that name none of them. */
  readonly activities: readonly string[];
  readonly waivers: readonly Attachment[];
  readonly by: Actor | undefined;
  /** Decides from the booking's current waivers. Meanwhile, no other is attached, and the guests do not sign. */
  readonly refuse: (waivers: readonly BookingWaiver[]) => Refusal | undefined;
}

/** The outcome of attaching waivers: all of them, or none. */
export type AttachOutcome<Refusal> =
  | { readonly outcome: 'attached'; readonly records: readonly WaiverRecord[] }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  | { readonly outcome: 'not-found' | ChangeRefusal; readonly id: string };

/** Rolls the transaction back. */
class NotAttached extends Error {
  readonly result: { readonly outcome: 'not-found' | ChangeRefusal; readonly id: string };
  constructor(outcome: 'not-found' | ChangeRefusal, id: string) {
    super(`the waiver ${id} was not attached: ${outcome}`);
    this.result = { outcome, id };
  }
}

/** The activities after the change: those shared with the booking; if none are, all of the booking's. */
function activitiesAfter(former: WaiverRecord, ofBooking: readonly string[]): readonly string[] {
  const shared = former.activities.filter((activity) => ofBooking.includes(activity));
  return shared.length === 0 ? ofBooking : shared;
}

async function attachEach<Refusal>(
  transaction: DatabaseTransaction,
  { booking, activities, waivers, by }: AttachRequest<Refusal>,
  { hashEmail }: ChangeParts,
): Promise<{ readonly records: readonly WaiverRecord[]; readonly written: readonly Written[] }> {
  const { pool, bookingSystem, bookingId } = booking;
  const records = new Map<string, WaiverRecord>();
  const written: Written[] = [];
  // In the lock order of every other change.
  for (const { id, bookingGuestId, missing } of waivers.toSorted((one, other) =>
    one.id < other.id ? -1 : 1,
  )) {
    const change = await changeInTransaction(
      transaction,
      {
        pool,
        id,
        by,
        draft: (former) =>
          draftUpdate(
            former,
            { bookingSystem, bookingId, bookingGuestId, activities: activitiesAfter(former, activities) },
            missing,
          ),
      },
      hashEmail,
    );
    const { outcome } = change;
    if (outcome.outcome === 'not-found') throw new NotAttached('not-found', id);
    if (outcome.outcome === 'refused') throw new NotAttached(outcome.refusal, id);
    records.set(id, outcome.record);
    if (change.written) written.push(change.written);
  }
  return { records: waivers.flatMap(({ id }) => records.get(id) ?? []), written };
}

/** Attaches waivers to a booking, all of them or none. Each is a stored change, with its version and messages. */
export async function attachWaivers<Refusal>(
  database: Database,
  request: AttachRequest<Refusal>,
  listeners: ChangeParts,
): Promise<AttachOutcome<Refusal>> {
  const { booking, waivers, refuse } = request;
  const lock = JSON.stringify(['attach', booking.pool, booking.bookingSystem, booking.bookingId]);
  const attach = (transaction: DatabaseTransaction) => attachEach(transaction, request, listeners);
  try {
    const result = await retryDeadlock(() =>
      database.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(transaction);
        // They may be signing for themselves.
        await lockGuests(
          transaction,
          waivers.map(({ bookingGuestId }) => ({ ...booking, bookingGuestId })),
        );
        const refusal = refuse(await readWaiversOf(transaction, booking));
        return refusal === undefined ? attach(transaction) : { refusal };
      }),
    );
    if ('refusal' in result) return { outcome: 'refused', refusal: result.refusal };
    for (const written of result.written) listeners.onWritten(written);
    return { outcome: 'attached', records: result.records };
  } catch (error) {
    if (error instanceof NotAttached) return error.result;
    throw error;
  }
}
