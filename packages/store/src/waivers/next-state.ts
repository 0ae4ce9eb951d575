import { lastVisitOf, type VisitSession } from './last-visit.ts';
import type {
  Answers,
  JsonValue,
  NewWaiver,
  WaiverChange,
  WaiverRecord,
  WaiverState,
} from './waiver-record.ts';

/** What a stored change leads to. */
export interface NextState {
  readonly next: WaiverState;
  /** The version before `next` that takes the record back from the booking or the guest it leaves, where it leaves one. */
  readonly takeback: WaiverState | undefined;
}

/** The first state of a record. `sessions` are those of its booking, where that was read. */
export function firstState(
  waiver: NewWaiver & { readonly id: string },
  sessions: readonly VisitSession[],
  now: Date,
): WaiverState {
  const { lastVisit: given, ...fields } = waiver;
  const visit =
    given === undefined
      ? lastVisitOf(sessions, waiver.activities, now)
      : { lastVisit: given, lastVisitSource: 'given' as const };
  return { ...fields, ...visit, deleted: false, createdAt: now, updatedAt: now, version: 1 };
}

function mergeAnswers(answers: Answers, changed: Answers | undefined): Answers {
  const merged: Record<string, JsonValue> = { ...answers };
  for (const [name, value] of Object.entries(changed ?? {})) {
    if (value === null) delete merged[name];
    else merged[name] = value;
  }
  return merged;
}

const changedTo = <Value>(change: Value | undefined, former: Value): Value =>
  change === undefined ? former : change;

/** A change as it falls on a record, before the booking's sessions are looked at. */
export function applyChange(former: WaiverState, change: WaiverChange): WaiverState {
  return {
    ...former,
    bookingSystem: changedTo(change.bookingSystem, former.bookingSystem),
    bookingId: changedTo(change.bookingId, former.bookingId),
    bookingGuestId: changedTo(change.bookingGuestId, former.bookingGuestId),
    activities: change.activities === null ? [] : changedTo(change.activities, former.activities),
    currentPage: changedTo(change.currentPage, former.currentPage),
    answers: mergeAnswers(former.answers, change.answers),
    ...(change.lastVisit instanceof Date
      ? { lastVisit: change.lastVisit, lastVisitSource: 'given' as const }
      : {}),
    ...(change.lastVisit === null ? { lastVisitSource: 'created' as const } : {}),
  };
}

/** Whether two states of a record are of one booking. */
export const isSameBooking = (one: WaiverRecord, other: WaiverRecord): boolean =>
  one.bookingId === other.bookingId && one.bookingSystem === other.bookingSystem;

const leavesGuest = (former: WaiverState, changed: WaiverState) =>
  former.bookingGuestId !== null && former.bookingGuestId !== changed.bookingGuestId;

const leaves = (former: WaiverState, changed: WaiverState) =>
  former.bookingId !== null && (!isSameBooking(former, changed) || leavesGuest(former, changed));

/** Whether `lastVisit` has to be worked out anew from the booking's sessions. */
export function needsSessions(former: WaiverState, changed: WaiverState): boolean {
  if (changed.lastVisitSource === 'given') return false;
  return (
    changed.lastVisitSource === 'created' ||
    !isSameBooking(former, changed) ||
    former.activities !== changed.activities
  );
}

/** The time of a stored change: now, but later than the last one of the record by as many milliseconds as versions. */
const laterThan = (former: WaiverState, now: Date, versions: number) =>
  new Date(Math.max(now.getTime(), former.updatedAt.getTime() + versions));

/**
 * The versions that a change makes: one, or two where the record leaves a booking or a guest of it, the first of which
 * takes it back from there, one millisecond before. `sessions` is `undefined` where they were not needed.
 */
export function nextState(
  former: WaiverState,
  changed: WaiverState,
  sessions: readonly VisitSession[] | undefined,
  now: Date,
): NextState {
  const moved = leaves(former, changed);
  const updatedAt = laterThan(former, now, moved ? 2 : 1);
  const visit = sessions === undefined ? {} : visitAfter(former, changed, sessions);
  const next = { ...changed, ...visit, updatedAt, version: former.version + (moved ? 2 : 1) };
  if (!moved) return { next, takeback: undefined };
  const takeback = {
    ...former,
    deleted: true,
    version: former.version + 1,
    updatedAt: new Date(updatedAt.getTime() - 1),
  };
  return { next, takeback };
}

function visitAfter(former: WaiverState, changed: WaiverState, sessions: readonly VisitSession[]) {
  const visit = lastVisitOf(sessions, changed.activities, former.createdAt);
  const sameBooking = isSameBooking(former, changed);
  // The booking is no longer kept: what was read of it once is better than the time of creation.
  const keeps = visit.lastVisitSource === 'created' && changed.lastVisitSource === 'session' && sameBooking;
  return keeps ? {} : visit;
}

/** The version that voids a record. */
export function voidedState(former: WaiverState, now: Date): WaiverState {
  return { ...former, deleted: true, version: former.version + 1, updatedAt: laterThan(former, now, 1) };
}
