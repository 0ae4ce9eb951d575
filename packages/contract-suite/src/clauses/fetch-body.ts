import type { BookingSystemPlugin, FetchedBooking } from '@waiver-service/core';
import { type Body, writeCurrent, writeLegacy } from '../fixtures/bookings.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import { readsCurrent, readsLegacy } from '../manifest-questions.ts';

/** Reads what a booking system answers with a body, asking by the id that the body has, if it has one. */
export async function fetchBody(kit: ClauseKit, body: Body): Promise<FetchedBooking> {
  kit.partner.willAnswer('GET', { body });
  return kit.read(['string', 'number'].includes(typeof body.id) ? String(body.id) : kit.bookingId);
}

/** The ways to write a booking in each of the contract's forms that a plugin reads. */
export function inEachForm(plugin: BookingSystemPlugin): readonly ((changes: Body) => Body)[] {
  return [...(readsCurrent(plugin) ? [writeCurrent] : []), ...(readsLegacy(plugin) ? [writeLegacy] : [])];
}
