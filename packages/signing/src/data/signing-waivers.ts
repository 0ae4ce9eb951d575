import { maxSignedGuests } from '@waiver-service/api';
import { retryDeadlock } from '@waiver-service/database';
import {
  type BookingWaiver,
  begunElsewhere,
  type ChangeParts,
  changeInTransaction,
  type Database,
  type DatabaseTransaction,
  type HashEmail,
  insertWaivers,
  lockBookings,
  lockGuests,
  markSigned,
  readRecipients,
  readWaiversOf,
  type Written,
} from '@waiver-service/store/features';
import {
  type Actor,
  answersBytes,
  bookingOf,
  draftEnd,
  draftPage,
  draftUpdate,
  draftVoid,
  maxAnswersBytes,
  type NewWaiver,
  planCreation,
  type WaiverChange,
  type WaiverRecord,
} from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';

/** One guest's waiver in a signing. */
export type SignedWaiver = Omit<NewWaiver, 'id' | 'pool' | 'currentPage'>;

/** The waivers of a signing, in the order of its guests. */
export interface SigningWaivers {
  readonly pool: string;
  /** The id of the signing. */
  readonly id: string;
  readonly waivers: readonly SignedWaiver[];
  /** The link or kiosk that it came by; null if it is unknown. */
  readonly link: string | null;
  /** The next page of the form; null once everything is signed. */
  readonly currentPage: string | null;
  /** If earlier than now. */
  readonly signedAt?: Date;
  readonly by: Actor;
  /**
   * Judges by the current waivers of the booking, which the guests of this signing are then locked in. Throws if one of
   * them has signed already: nothing is stored. Omitted if that does not matter.
   */
  readonly requireNotSigned?: ((waivers: readonly BookingWaiver[]) => void) | undefined;
}

/** Why waivers of a signing were not written. */
export type SigningRefusal =
  /** A waiver that a returning guest confirms was voided or erased meanwhile. */
  | 'confirmed-gone'
  /** A waiver of the signing was voided or erased after an earlier page. */
  | 'waiver-gone'
  /** The id of the signing is that of another one: of another link, of another pool, or of a waiver stored by the API. */
  | 'id-taken'
  | 'answers-too-large'
  /** The link, or the pool, has had the maximum of a day stored. */
  | 'link-day-full'
  | 'pool-day-full'
  | 'unknown-pool';

/** The id of a guest's waiver: the same for each page of a signing, and for a repeated request. */
export const signedWaiverId = (signing: string, guest: number): string => `${signing}-${guest + 1}`;

/** Thrown to roll the transaction back. */
export class SigningRefused extends Error {
  readonly refusal: SigningRefusal;
  constructor(refusal: SigningRefusal) {
    super(`the signing was refused: ${refusal}`);
    this.refusal = refusal;
  }
}

/** The rows that a transaction has written, announced after its commit. */
interface Effects {
  readonly written: Written[];
  /** Waivers whose pending messages have lost answers. */
  readonly withdrawn: string[];
}

// The answers of a guest who goes back are replaced, not merged.
function replaced(former: WaiverRecord, waiver: SignedWaiver): WaiverChange {
  const removed = Object.keys(former.answers).map((name) => [name, null] as const);
  return { ...waiver, answers: { ...Object.fromEntries(removed), ...waiver.answers } };
}

/** A waiver of the pool with an id of a signing. */
export interface StartedWaiver {
  readonly id: string;
  readonly isErased: boolean;
  /** Whether an earlier page of this signing created it. */
  readonly isOwn: boolean;
}

/** A query of the {@link StartedWaiver}s of a signing, by id. */
export const startedWaivers = ({
  pool,
  id,
  link,
}: Pick<SigningWaivers, 'pool' | 'id' | 'link'>): RawBuilder<StartedWaiver[]> => {
  const ids = Array.from({ length: maxSignedGuests }, (_, guest) => signedWaiverId(id, guest));
  return sql`(
    select coalesce(json_agg(json_build_object('id', w.id, 'isErased', w.erasure is not null,
      'isOwn', v.actor is not distinct from ${`check-in-link:${link}`}) order by w.id), '[]')
    from waiver w left join waiver_version v on v.pool = w.pool and v.waiver_id = w.id and v.version = 1
    where w.pool = ${pool} and w.id = any (${ids}::text[]))`;
};

/**
 * Updates the started waivers. Those of guests left out since are voided only when everything is signed: the signer may
 * go back and add them again, and a void is final.
 */
async function changeStarted(
  transaction: DatabaseTransaction,
  { pool, id: signing, by, waivers, currentPage }: SigningWaivers,
  started: readonly StartedWaiver[],
  { written, withdrawn }: Effects,
  hashEmail: HashEmail,
): Promise<void> {
  if (started.some(({ isErased, isOwn }) => !isErased && !isOwn)) throw new SigningRefused('id-taken');
  for (const { id, isErased } of started) {
    if (isErased) continue;
    const waiver = waivers.find((_, guest) => signedWaiverId(signing, guest) === id);
    if (waiver === undefined && currentPage !== null) continue;
    const draft = (former: WaiverRecord) =>
      waiver === undefined
        ? draftVoid(former)
        : currentPage === null
          ? draftUpdate(former, { ...replaced(former, waiver), currentPage })
          : draftPage(former, { ...replaced(former, waiver), currentPage });
    const change = await changeInTransaction(transaction, { pool, id, by, draft }, hashEmail);
    if (waiver !== undefined && change.outcome.outcome !== 'changed') throw new SigningRefused('waiver-gone');
    if (change.written) written.push(change.written);
    if (change.hasWithdrawn) withdrawn.push(id);
  }
}

/** Marks the started waivers that the signing has completed. Call it after their change, which is part of the signing. */
async function markStarted(
  transaction: DatabaseTransaction,
  { pool, id: signing, waivers }: SigningWaivers,
  started: readonly StartedWaiver[],
): Promise<void> {
  const signed = new Set(waivers.map((_, guest) => signedWaiverId(signing, guest)));
  const ids = started.map(({ id }) => id).filter((id) => signed.has(id));
  if (ids.length > 0) await markSigned(transaction, pool, ids, signing);
}

async function createOthers(
  transaction: DatabaseTransaction,
  { pool, id: signing, signedAt, by, waivers, currentPage }: SigningWaivers,
  started: readonly StartedWaiver[],
  { written }: Effects,
): Promise<void> {
  const known = new Map(started.map((each) => [each.id, each]));
  if (waivers.some((_, guest) => known.get(signedWaiverId(signing, guest))?.isErased))
    throw new SigningRefused('waiver-gone');
  const others = waivers
    .map((waiver, guest) => ({ ...waiver, pool, id: signedWaiverId(signing, guest), currentPage }))
    .filter(({ id }) => !known.has(id));
  if (others.length === 0) return;
  const reading = (await readRecipients(transaction, [pool])).get(pool);
  if (!reading?.known) throw new SigningRefused('unknown-pool');
  const readingOf = await lockBookings(
    transaction,
    others.flatMap((waiver) => bookingOf(waiver) ?? []),
  );
  const plans = others.map((waiver) =>
    planCreation(waiver, {
      ...reading,
      signedAt,
      sessions: readingOf(bookingOf(waiver)).sessions,
      by,
      isBegun: currentPage !== null,
    }),
  );
  const inserted = await insertWaivers(transaction, plans, {
    signing: currentPage === null ? signing : null,
  });
  if (inserted.changed.length < plans.length) throw new SigningRefused('id-taken');
  written.push(inserted);
}

/** Ends what the guests of a signing have begun elsewhere in its booking. */
async function endOthers(
  transaction: DatabaseTransaction,
  { pool, id: signing, waivers }: SigningWaivers,
  { written, withdrawn }: Effects,
  hashEmail: HashEmail,
): Promise<void> {
  if (waivers.every((waiver) => bookingOf({ ...waiver, pool }) === undefined)) return;
  const signed = waivers.map((_, guest) => signedWaiverId(signing, guest));
  const by = { id: 'check-in', name: null };
  for (const id of await begunElsewhere(transaction, pool, signed)) {
    const change = await changeInTransaction(transaction, { pool, id, by, draft: draftEnd }, hashEmail);
    if (change.written) written.push(change.written);
    if (change.hasWithdrawn) withdrawn.push(id);
  }
}

/**
 * Serializes the pages and the signing itself: if the guest did not wait for a page's response, that page may be stored
 * concurrently with a later one, and must not undo it.
 */
const lockSigning = (transaction: DatabaseTransaction, { pool, id }: SigningWaivers) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`signing ${pool} ${id}`}, 0))`.execute(transaction);

/**
 * Locks the guests of a signing, and looks whether they have signed. The caller has looked before, but then another
 * device may have signed for them.
 */
export async function admitGuests(
  transaction: DatabaseTransaction,
  { pool, waivers, requireNotSigned }: SigningWaivers,
): Promise<void> {
  const placed = waivers.map((waiver) => ({ ...waiver, pool }));
  await lockGuests(transaction, placed);
  // All of them are of one booking.
  const booking = placed.map(bookingOf).find((each) => each !== undefined);
  if (booking !== undefined && requireNotSigned !== undefined)
    requireNotSigned(await readWaiversOf(transaction, booking));
}

/**
 * Writes the waivers of a signing and their messages in one transaction: updates those that an earlier page created,
 * and creates the others.
 *
 * @param also more work in the transaction: `before` ends it with a result, or returns the {@link startedWaivers}
 * @param listeners called after the commit
 */
export async function writeSigningWaivers<Result>(
  database: Database,
  signing: SigningWaivers,
  also: {
    before(
      transaction: DatabaseTransaction,
    ): Promise<{ ended: Result } | { started: readonly StartedWaiver[] }>;
    after(transaction: DatabaseTransaction): Promise<Result>;
  },
  { hashEmail, onWritten, onWithdrawn }: ChangeParts,
): Promise<Result | SigningRefused> {
  if (signing.waivers.some(({ answers }) => answersBytes(answers ?? {}) > maxAnswersBytes)) {
    return new SigningRefused('answers-too-large');
  }
  async function write(transaction: DatabaseTransaction) {
    const effects: Effects = { written: [], withdrawn: [] };
    await lockSigning(transaction, signing);
    const begun = await also.before(transaction);
    if ('ended' in begun) return { result: begun.ended, effects };
    await changeStarted(transaction, signing, begun.started, effects, hashEmail);
    await createOthers(transaction, signing, begun.started, effects);
    if (signing.currentPage === null) {
      await markStarted(transaction, signing, begun.started);
      await endOthers(transaction, signing, effects, hashEmail);
    }
    return { result: await also.after(transaction), effects };
  }
  try {
    const { result, effects } = await retryDeadlock(() => database.transaction().execute(write));
    for (const waiverId of effects.withdrawn) onWithdrawn(waiverId);
    for (const written of effects.written) onWritten(written);
    return result;
  } catch (error) {
    if (error instanceof SigningRefused) return error;
    throw error;
  }
}
