import type { BookingSystemContext, PushedWaiver, Waiver } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { bookingIn, bookingInside, displayName } from '../answers.ts';
import { refusalToCopy } from './exact-copy.ts';
import { changesFor, type WaiverChanges } from './waiver-changes.ts';

const warn = (reading: kit.Reading, path: string, message: string) =>
  reading.warn('waiver_partly_written', path, message);

/** Says what of a waiver found no field, or, of a voided one, what stays in the fields. */
function sayWhatIsLeft(reading: kit.Reading, waiver: Waiver, { filled, path }: WaiverChanges): void {
  const where = path ?? 'items';
  if (waiver.deleted) {
    if (filled.matching.length + filled.changed.length === 0) return;
    warn(reading, where, 'the line in the internal notes is gone; what the participant’s fields say stays');
  } else if (filled.left.length > 0) {
    const names = filled.left.map(kit.quoted).join(', ');
    warn(
      reading,
      where,
      `no field of a participant takes all of ${names}: only the internal notes tell of it`,
    );
  }
}

/**
 * Compares what Rezdy kept with what was sent, and says what it did not keep. Returns why the waiver counts as not
 * written; `undefined` where some of it stands there.
 */
function judge(
  reading: kit.Reading,
  waiver: Waiver,
  sent: WaiverChanges,
  { isNoteNew: isNoteLost, filled: { matching } }: WaiverChanges,
): string | undefined {
  if (isNoteLost && waiver.deleted) {
    return `${displayName} took the change and left the waiver’s line in the internal notes: take it out there by hand`;
  }
  if (isNoteLost && matching.length === 0) {
    return `${displayName} took the change and kept nothing of it: note the waiver in the order by hand`;
  }
  if (isNoteLost)
    warn(reading, 'internalNotes', `${displayName} did not keep the line in the internal notes`);
  const lost = waiver.deleted ? [] : sent.filled.changed.filter((label) => !matching.includes(label));
  if (lost.length > 0) {
    const labels = lost.map(kit.quoted).join(', ');
    warn(reading, sent.path ?? 'items', `${displayName} did not keep what was written into ${labels}`);
  }
  return undefined;
}

/**
 * Writes one waiver by one PUT of the whole order after a GET: a line in the internal notes, and the participant's
 * fields that shared answers fit into. What Rezdy answers is compared with what was sent.
 */
export async function pushWaiver(
  { http }: Pick<BookingSystemContext, 'http'>,
  waiver: Waiver,
): Promise<PushedWaiver> {
  const path = `bookings/${kit.bookingSegment(waiver.bookingId, 'guest-update')}`;
  const booking = bookingIn(await http.get(path), { kind: 'read-before-write' });
  const reading = new kit.Reading();
  const changes = changesFor(reading, booking, waiver);
  reading.throwIfRefused();
  const refusal = changes.isChanged ? refusalToCopy(booking) : undefined;
  if (refusal !== undefined) {
    const reason = `the order could not be written back whole (${refusal}), so nothing was: note the waiver there by hand`;
    return { accepted: false, reason, warnings: reading.warnings };
  }
  if (changes.isChanged) {
    const answer = bookingInside(await http.put(path, changes.booking), { kind: 'write' });
    const kept = answer ?? bookingIn(await http.get(path), { kind: 'read-before-write' });
    const reason = judge(reading, waiver, changes, changesFor(new kit.Reading(), kept, waiver));
    if (reason !== undefined) return { accepted: false, reason, warnings: reading.warnings };
  }
  sayWhatIsLeft(reading, waiver, changes);
  return { accepted: true, warnings: reading.warnings };
}
