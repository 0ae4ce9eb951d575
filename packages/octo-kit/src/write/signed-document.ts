import type { SignedDocument } from '@waiver-service/core';
import { type JsonObject, type Reading, textOf } from '@waiver-service/plugin-kit';
import { type BookingChange, warnOfPart } from './booking-change.ts';

/** Whether a booking or unit item shows that the vendor's own waiver has a file: responses contain only its URL. */
export const showsFile = ({ waiverFileUrl }: JsonObject): boolean => textOf(waiverFileUrl) !== undefined;

/** Whether a change sends a file. */
export const hasFile = ({ inBooking, inItem }: BookingChange): boolean =>
  'waiverFile' in inBooking || 'waiverFile' in inItem;

/** Adds the signed document to the vendor's own waiver, if the change includes one. */
export async function withDocument(
  change: BookingChange,
  document: SignedDocument | undefined,
): Promise<BookingChange> {
  const { inBooking, inItem } = change;
  if (!('waiverId' in inBooking || 'waiverId' in inItem)) return change;
  const pdf = await document?.();
  if (pdf === undefined) return change;
  const waiverFile = `data:application/pdf;base64,${Buffer.from(pdf).toString('base64')}`;
  return 'waiverId' in inItem
    ? { ...change, inItem: { ...inItem, waiverFile } }
    : { ...change, inBooking: { ...inBooking, waiverFile } };
}

/** The same change without the file. */
export function withoutFile(change: BookingChange): BookingChange {
  const { waiverFile: _inBooking, ...inBooking } = change.inBooking;
  const { waiverFile: _inItem, ...inItem } = change.inItem;
  return { ...change, inBooking, inItem };
}

/** Warns if a file was sent but is not shown. */
export function warnOfFile(reading: Reading, change: BookingChange, place: JsonObject): void {
  if (!hasFile(change) || showsFile(place)) return;
  warnOfPart(reading, 'the booking system does not show whether it kept the signed document');
}
