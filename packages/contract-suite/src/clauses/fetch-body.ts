import type { BookingSystemPlugin, FetchedBooking } from '@waiver-service/core';
import { type Body, writeCurrent, writeLegacy } from '../fixtures/bookings.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import { readsCurrent, readsLegacy } from '../manifest-predicates.ts';

/** Reads a booking whose response has the given body, by the body's own id if it has one. */
export async function fetchBody(kit: ClauseKit, body: Body): Promise<FetchedBooking> {
  kit.partner.willAnswer('GET', { body });
  return kit.read(['string', 'number'].includes(typeof body.id) ? String(body.id) : kit.bookingId);
}

/** A writer for each of the contract's forms that the plugin reads. */
export function inEachForm(plugin: BookingSystemPlugin): readonly ((changes: Body) => Body)[] {
  return [...(readsCurrent(plugin) ? [writeCurrent] : []), ...(readsLegacy(plugin) ? [writeLegacy] : [])];
}
