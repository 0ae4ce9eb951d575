import type { BookingSystemContext, PushedWaiver, Waiver } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { bookingIn, bookingInside, displayName } from '../answers.ts';
import { reasonNotToCopy } from './exact-copy.ts';
import { changesFor, type WaiverChanges } from './waiver-changes.ts';

const warn = (reading: kit.Reading, path: string, message: string) =>
  reading.warn('waiver_partly_written', path, message);

/** Warns of shared answers that fit no field or, for a void, of answers that remain in the fields. */
function warnOfRemains(reading: kit.Reading, waiver: Waiver, { filled, path }: WaiverChanges): void {
  const where = path ?? 'items';
  if (waiver.deleted) {
    if (filled.matching.length + filled.changed.length === 0) return;
    warn(reading, where, 'the line in the internal notes is gone; what the participant’s fields say stays');
  } else if (filled.unused.length > 0) {
    const names = filled.unused.map(kit.quoted).join(', ');
    warn(
      reading,
      where,
      `no field of a participant takes all of ${names}: only the internal notes tell of it`,
    );
  }
}

/**
 * Compares the order after the write, by the changes that are still outstanding, with the changes that were sent, and
 * warns of each that was not stored. Returns why the waiver counts as not written; `undefined` if at least a part of it
 * was stored.
 */
function verifyWrite(
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
 * Writes one waiver by a GET and a PUT of the whole order: a line in the internal notes, and the participant's fields that
 * shared answers fit. Then verifies that Rezdy stored it.
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
  const obstacle = changes.isChanged ? reasonNotToCopy(booking) : undefined;
  if (obstacle !== undefined) {
    const reason = `the order could not be written back whole (${obstacle}), so nothing was: note the waiver there by hand`;
    return { accepted: false, reason, warnings: reading.warnings };
  }
  if (changes.isChanged) {
    const answer = bookingInside(await http.put(path, changes.booking), { kind: 'write' });
    const after = answer ?? bookingIn(await http.get(path), { kind: 'read-before-write' });
    const reason = verifyWrite(reading, waiver, changes, changesFor(new kit.Reading(), after, waiver));
    if (reason !== undefined) return { accepted: false, reason, warnings: reading.warnings };
  }
  warnOfRemains(reading, waiver, changes);
  return { accepted: true, warnings: reading.warnings };
}
