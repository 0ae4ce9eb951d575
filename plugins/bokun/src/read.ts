import type { FetchedBooking } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { displayName, vendorMessageOf } from './answers.ts';
import { activitiesOf, attendedActivities, type BookedActivity } from './read/activities.ts';
import { personOf, readGuests, readPax } from './read/guests.ts';
import { readSession } from './read/session.ts';
import type { Context } from './settings.ts';
import { isCancelled, statusMap } from './status-map.ts';

/** The booking's status; the activities' if all of them were cancelled one by one. */
function statusOf(
  reading: kit.Reading,
  booking: kit.JsonObject,
  activities: readonly BookedActivity[],
): string {
  const status = kit.requiredText(reading, booking.status, 'status');
  const [first] = activities;
  const areAllCancelled = first !== undefined && activities.every(({ value }) => isCancelled(value.status));
  return areAllCancelled && !isCancelled(status) ? String(first.value.status) : status;
}

/** Reads a booking. Throws InvalidBookingResponse, which names each invalid field. */
export function readBooking(answer: kit.JsonObject, bookingId: string, timeZone: string): FetchedBooking {
  const reading = new kit.Reading();
  const activities = activitiesOf(reading, answer);
  const status = statusOf(reading, answer, activities);
  // A cancelled booking is read whatever it has lost.
  const wasCancelled = isCancelled(status);
  const attended = wasCancelled ? activities : attendedActivities(reading, activities);
  const times = wasCancelled ? new kit.Reading() : reading;
  const sessions = attended.map((activity) => ({
    activity,
    session: readSession(times, activity, timeZone),
  }));
  const dated = sessions.filter(({ activity, session }) => {
    if (session === undefined && !wasCancelled) {
      reading.warn('item_skipped', activity.path, `${activity.path} has no date: it was left out`);
    }
    return session !== undefined || wasCancelled;
  });
  const booked = dated.map(({ activity }) => activity);
  const booking = {
    id: kit.requiredText(reading, answer.confirmationCode, 'confirmationCode'),
    status,
    contact: kit.vendorContact(reading, personOf(answer.customer), 'customer'),
    pax: readPax(reading, booked),
    guests: readGuests(reading, booked),
    bookedSessions: dated.flatMap(({ session }) => session ?? []),
    externalBookingReference: kit.textOf(answer.externalBookingReference),
  };
  const withoutSession = `no activity of ${displayName} booking ${kit.quoted(bookingId)} has a date: it is a pass, a gift card or another product; give it a date in Bókun`;
  return kit.finishNativeBooking(
    reading,
    booking,
    { bookingId, idPath: 'confirmationCode', withoutSession },
    statusMap,
  );
}

/** Reads one booking, `GET /booking.json/booking/{code or number}`. */
export async function fetchBooking({ http, account }: Context, bookingId: string): Promise<FetchedBooking> {
  const response = await http.get(`booking.json/booking/${kit.bookingSegment(bookingId, 'read')}`);
  const vendorMessage = vendorMessageOf(response);
  kit.raiseForStatus(response, { bookingSystem: displayName, bookingId, vendorMessage });
  return readBooking(kit.expectObject(response.data), bookingId, account.timeZone);
}
