import { lastVisitOf, type VisitSession } from './last-visit.ts';
import { messagesOf, type Recipients, type WaiverMessage } from './messages.ts';
import { type Actor, type VersionChanges, versionChanges } from './version.ts';
import {
  areAnswersTooLarge,
  type BegunState,
  contentAfter,
  contentHashOf,
  isSameBooking,
  type NewWaiver,
  type WaiverChange,
  type WaiverRecord,
} from './waiver.ts';

/*
 * A waiver goes through versions:
 *
 *   (none) ── create ──▶ 1 ── update, booking followed ──▶ n ── void ──▶ n + 1, final
 *
 * An update by which the waiver leaves its booking, or the guest it stood for, makes two versions at once: one that
 * takes it back from there, `deleted`, and the next one. Every stored version sends its messages.
 *
 * What a guest has begun on the check-in page is a draft until they sign:
 *
 *   (none) ── first page ──▶ begun ── signed, or finished by the API ──▶ an ordinary waiver
 *                            begun ── void: signed elsewhere, link or visit over ──▶ deleted
 *
 * Its versions go to webhooks only: a booking system counts what it is sent as signed (contract 3). One that an earlier
 * version of the service has told of it hears of the void, and of a move to another booking.
 *
 * Where the guest is forgotten, an erasure makes the last version, which holds nothing: `planErasure`.
 *
 * A change is planned in two steps, so that the caller reads a booking's sessions only where they matter: first
 * `draftUpdate`, `draftVoid` or `draftFollowing`, then `planChange`.
 */

/** The data that a plan depends on. */
export interface PlanContext {
  readonly now: Date;
  readonly recipients: Recipients;
  /** The sessions of the waiver's booking; empty if none were read. */
  readonly sessions: readonly VisitSession[];
  /** Who requested it; undefined if unknown. */
  readonly by?: Actor | undefined;
}

/** The data that the plan of a new waiver depends on. */
export interface CreationContext extends PlanContext {
  /** When it was signed, if before now: without a booking, that was the visit. */
  readonly signedAt?: Date | undefined;
  /** Whether a guest has begun it on the check-in page, and not signed yet. */
  readonly isBegun?: boolean | undefined;
}

/** The data that the plan of a change depends on. */
export interface ChangeContext extends PlanContext {
  /** Whether the former and the changed waiver refer to the same booking, possibly by different ids. */
  readonly staysInBooking: boolean;
}

/** A version to store, and its messages. */
export interface WaiverPlan {
  /** The version that it replaces; 0 for a new waiver. */
  readonly formerVersion: number;
  readonly next: WaiverRecord;
  readonly messages: readonly WaiverMessage[];
  readonly by: Actor | undefined;
  /** The changes; undefined for a new waiver. */
  readonly changes: VersionChanges | undefined;
  /** The answer `email` that the change replaces or removes. */
  readonly formerEmail?: string | undefined;
}

/** The plan of a new waiver. */
export interface CreationPlan extends WaiverPlan {
  readonly contentHash: string;
}

/** A guest who is no longer in the booking, or a booking that no longer exists. */
export type MissingReference = 'guest' | 'booking';

/** A change before its sessions, its time and its recipients are known. */
export interface Draft {
  readonly former: WaiverRecord;
  /** `former` with the changed content. */
  readonly changed: WaiverRecord;
  /** Whether to derive `lastVisit` again from the sessions of the booking in `changed`. */
  readonly needsSessions: boolean;
  /** The part of its former place that the booking system no longer knows: no takeback is sent there. */
  readonly missing?: MissingReference | undefined;
}

/** Why a waiver cannot be changed. */
export type ChangeRefusal = 'voided' | 'answers-too-large';

/** A draft, or the reason why there is none. */
export type DraftResult =
  | { readonly draft: Draft }
  | { readonly refusal: ChangeRefusal; readonly former: WaiverRecord };

function givenLastVisit(change: WaiverChange): Partial<Pick<WaiverRecord, 'lastVisit' | 'lastVisitSource'>> {
  if (change.lastVisit === undefined) return {};
  if (change.lastVisit === null) return { lastVisitSource: 'created' };
  return { lastVisit: change.lastVisit, lastVisitSource: 'given' };
}

const needsSessions = (former: WaiverRecord, changed: WaiverRecord, { activities }: WaiverChange): boolean =>
  changed.lastVisitSource !== 'given' &&
  (changed.lastVisitSource === 'created' || activities !== undefined || !isSameBooking(former, changed));

/**
 * Drafts an update. A voided waiver cannot be changed.
 *
 * @param missing - see {@link Draft}
 */
export function draftUpdate(
  former: WaiverRecord,
  change: WaiverChange,
  missing?: MissingReference,
): DraftResult {
  if (former.deleted) return { refusal: 'voided', former };
  const changed = { ...former, ...contentAfter(former, change), ...givenLastVisit(change) };
  if (change.answers !== undefined && areAnswersTooLarge(changed.answers, former.answers)) {
    return { refusal: 'answers-too-large', former };
  }
  return { draft: { former, changed, needsSessions: needsSessions(former, changed, change), missing } };
}

/** Drafts a finished page of the check-in page. What was finished otherwise meanwhile is not begun again. */
export function draftPage(former: WaiverRecord, change: WaiverChange): DraftResult {
  if (former.currentPage === null) return { refusal: 'voided', former };
  const result = draftUpdate(former, change);
  if ('refusal' in result) return result;
  // Earlier versions did not mark it, and told the booking system.
  const begun = former.begun ?? 'told';
  return { draft: { ...result.draft, changed: { ...result.draft.changed, begun } } };
}

/** Drafts the void that ends what a guest has begun. Refused once it is signed. */
export const draftEnd = (former: WaiverRecord): DraftResult =>
  former.begun === null || former.currentPage === null ? { refusal: 'voided', former } : draftVoid(former);

/** Drafts a void. */
export function draftVoid(former: WaiverRecord): DraftResult {
  if (former.deleted) return { refusal: 'voided', former };
  return { draft: { former, changed: { ...former, deleted: true }, needsSessions: false } };
}

const leavesGuest = (former: WaiverRecord, changed: WaiverRecord) =>
  former.bookingGuestId !== null && former.bookingGuestId !== changed.bookingGuestId;

function visitAfter({ former, changed }: Draft, { sessions, staysInBooking }: ChangeContext) {
  // Without a booking, it may have been signed long before it was stored.
  const isWalkIn = changed.bookingId === null && former.lastVisitSource === 'created';
  const visit = lastVisitOf(sessions, changed.activities, isWalkIn ? former.lastVisit : former.createdAt);
  // The stored booking has expired: the session found in it earlier is better than the time of creation.
  const isForgotten =
    visit.lastVisitSource === 'created' && changed.lastVisitSource === 'session' && staysInBooking;
  return isForgotten ? {} : visit;
}

function formerEmailOf(former: WaiverRecord, next: WaiverRecord): string | undefined {
  const { email } = former.answers;
  return typeof email === 'string' && email !== next.answers.email ? email : undefined;
}

function begunAfter({ former, changed }: Draft, { staysInBooking }: ChangeContext): BegunState | null {
  if (changed.begun === null || former.currentPage === null || changed.currentPage === null) return null;
  // The booking that it leaves is told so, and the next one has heard nothing.
  return staysInBooking ? changed.begun : 'untold';
}

/** Whether booking systems are sent a version. */
const isForBookingSystems = ({ begun, deleted }: WaiverRecord) =>
  begun === null || (begun === 'told' && deleted);

/** The recipients of a version. */
const told = (next: WaiverRecord, recipients: Recipients): Recipients =>
  isForBookingSystems(next) ? recipients : { ...recipients, installations: [] };

/** Plans a drafted change. */
export function planChange(draft: Draft, context: ChangeContext): WaiverPlan {
  const { now, recipients, staysInBooking, by } = context;
  const { former, changed, missing } = draft;
  const isMoved =
    former.bookingId !== null &&
    former.begun !== 'untold' &&
    missing !== 'booking' &&
    (!staysInBooking || (missing !== 'guest' && leavesGuest(former, changed)));
  const versions = isMoved ? 2 : 1;
  // The clock may stall or step back, but each version must be strictly later than its predecessor.
  const updatedAt = new Date(Math.max(now.getTime(), former.updatedAt.getTime() + versions));
  const next = {
    ...changed,
    ...(draft.needsSessions ? visitAfter(draft, context) : {}),
    begun: begunAfter(draft, context),
    updatedAt,
    version: former.version + versions,
  };
  const takeback = {
    ...former,
    deleted: true,
    updatedAt: new Date(updatedAt.getTime() - 1),
    version: former.version + 1,
  };
  const departure = isMoved ? { takeback, staysInBooking, isGuestGone: missing === 'guest' } : undefined;
  const messages = messagesOf(next, departure, recipients).filter(
    ({ kind, takeback }) => kind !== 'guest-update' || takeback || isForBookingSystems(next),
  );
  const changes = versionChanges(former, next);
  const formerEmail = formerEmailOf(former, next);
  return { formerVersion: former.version, next, messages, by, changes, formerEmail };
}

/** Plans a new waiver, whose answers the caller has checked with {@link areAnswersTooLarge}. */
export function planCreation(
  waiver: NewWaiver & { readonly id: string },
  { now, signedAt = now, recipients, sessions, by, isBegun = false }: CreationContext,
): CreationPlan {
  const { id, pool } = waiver;
  const given = waiver.lastVisit ?? undefined;
  const content = contentAfter(undefined, waiver);
  const next: WaiverRecord = {
    ...content,
    ...(given === undefined
      ? lastVisitOf(sessions, content.activities, content.bookingId === null ? signedAt : now)
      : { lastVisit: given, lastVisitSource: 'given' }),
    id,
    pool,
    deleted: false,
    begun: isBegun && content.currentPage !== null ? 'untold' : null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  const messages = messagesOf(next, undefined, told(next, recipients));
  const contentHash = contentHashOf(content, given);
  return { formerVersion: 0, next, messages, by, changes: undefined, contentHash };
}

/**
 * Plans the erasure of a waiver: a last version without any of the guest's data, and a message that takes the record
 * back from each recipient, without answers. Even a voided waiver is taken back again.
 *
 * @param recipients those that were notified of the waiver.
 */
export function planErasure(
  former: WaiverRecord,
  { now, recipients }: Pick<PlanContext, 'now' | 'recipients'>,
): WaiverPlan {
  const updatedAt = new Date(Math.max(now.getTime(), former.updatedAt.getTime() + 1));
  const version = former.version + 1;
  const empty = { answers: {}, validUntil: null, reuseOf: null };
  const takenBack = { ...former, ...empty, deleted: true, updatedAt, version };
  const next: WaiverRecord = {
    id: former.id,
    pool: former.pool,
    bookingSystem: null,
    bookingId: null,
    bookingGuestId: null,
    activities: [],
    currentPage: null,
    answers: {},
    validUntil: null,
    reuseOf: null,
    lastVisit: updatedAt,
    lastVisitSource: 'created',
    deleted: true,
    begun: null,
    createdAt: updatedAt,
    updatedAt,
    version,
  };
  const messages = messagesOf(takenBack, undefined, told(takenBack, recipients));
  // The changes must be forgotten.
  return { formerVersion: former.version, next, messages, by: undefined, changes: undefined };
}
