import type { SignedDocument } from '@waiver-service/core';
import { type JsonObject, type Reading, textOf } from '@waiver-service/plugin-kit';
import { type BookingChange, fillsVendorWaiver, warnOfPart } from './booking-change.ts';

/** Whether a booking or unit item shows that the vendor's own waiver has a file: responses contain only its URL. */
export const showsFile = ({ waiverFileUrl }: JsonObject): boolean => textOf(waiverFileUrl) !== undefined;

/** Whether a change sends a file. */
export const hasFile = ({ inBooking, inItem }: BookingChange): boolean =>
  'waiverFile' in inBooking || 'waiverFile' in inItem;

/** The signed document as the API takes a file; `undefined` if there is none. */
export async function waiverFileOf(document: SignedDocument): Promise<string | undefined> {
  const pdf = await document();
  return pdf && `data:application/pdf;base64,${Buffer.from(pdf).toString('base64')}`;
}

/** Adds a file to the vendor's own waiver, if the change fills it in. */
export function withFile(change: BookingChange, waiverFile: string): BookingChange {
  if (!fillsVendorWaiver(change)) return change;
  const { inBooking, inItem } = change;
  return 'waiverId' in inItem
    ? { ...change, inItem: { ...inItem, waiverFile } }
    : { ...change, inBooking: { ...inBooking, waiverFile } };
}

/** Warns if a file was sent but is not shown. */
export function warnOfFile(reading: Reading, change: BookingChange, place: JsonObject): void {
  if (!hasFile(change) || showsFile(place)) return;
  warnOfPart(reading, 'the booking system does not show whether it kept the signed document');
}
