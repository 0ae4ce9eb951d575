import type { BookedSession, FetchedBooking, Guest } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { displayName, isCancelled, raiseForBokun, statusMap } from './answers.ts';
import type { Context } from './settings.ts';

/** One booked activity, an entry of `activityBookings`. */
interface BookedActivity extends kit.ListedObject {
  /** Part of a combo in the same booking: its people are the combo's. */
  readonly isOfCombo: boolean;
}

const idOf = ({ bookingId, id }: kit.JsonObject) => kit.textOf(bookingId) ?? kit.textOf(id);

// A pass is valid on many days and is not booked for any of them.
const isPass = ({ activity }: kit.JsonObject) => kit.objectOf(activity).bookingType === 'PASS';

/** Bookings of other kinds of product: none of them is an activity with a time. */
const otherKinds = ['accommodationBookings', 'routeBookings', 'carRentalBookings', 'giftCardBookings'];

function warnOfOtherKinds(reading: kit.Reading, booking: kit.JsonObject): void {
  for (const kind of otherKinds) {
    const list = booking[kind];
    if (!Array.isArray(list) || list.length === 0) continue;
    reading.warn('item_skipped', kind, `${kind} are no activities: all ${list.length} were left out`);
  }
}

/** All activities of a booking, including cancelled ones. */
function activitiesOf(reading: kit.Reading, booking: kit.JsonObject): readonly BookedActivity[] {
  warnOfOtherKinds(reading, booking);
  const listed = kit.requiredObjects(reading, booking.activityBookings ?? [], 'activityBookings');
  const ids = new Set(listed.map(({ value }) => idOf(value)));
  return listed.map((one) => {
    const combo = idOf(kit.objectOf(one.value.comboParentBooking));
    return { ...one, isOfCombo: combo !== undefined && ids.has(combo) };
  });
}

/** The activities of a booking that is not cancelled, without passes and those cancelled individually. */
function attendedActivities(
  reading: kit.Reading,
  activities: readonly BookedActivity[],
): readonly BookedActivity[] {
  return activities.filter(({ value, path }) => {
    const reason = isCancelled(value.status) ? 'was cancelled' : isPass(value) ? 'is a pass' : undefined;
    if (reason !== undefined) reading.warn('item_skipped', path, `${path} ${reason}: it was left out`);
    const status = kit.textOf(value.status);
    if (reason === undefined && status !== undefined) {
      const meaning = 'its people are expected';
      kit.warnOfUnknownStatus(reading, statusMap, { status, path: `${path}.status`, meaning });
    }
    return reason === undefined;
  });
}

const dayMs = 24 * 60 * 60 * 1000;

const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= 8.64e15;

/** The day of a time in a zone: `2027-06-12`. */
const dayIn = (timeZone: string, time: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time);

/**
 * The day of an activity. Bókun writes it as midnight UTC of that day, wherever the vendor is; any other time is taken
 * as a moment of the day, in the vendor's time zone.
 */
function dayOf(date: number, timeZone: string): string {
  return date % dayMs === 0 ? dayIn('UTC', date) : dayIn(timeZone, date);
}

/** The start, in a time zone; `undefined` if the activity has no day. An invalid start is refused. */
function startIn(
  reading: kit.Reading,
  { value, path }: BookedActivity,
  timeZone: string,
): string | undefined {
  const { date } = value;
  if (date === null || date === undefined) return undefined;
  if (!isTime(date)) {
    reading.refuse(`${path}.date`, `is ${kit.kindOf(date)}, not a time in milliseconds`);
    return undefined;
  }
  const time = kit.textOf(value.startTime)?.padStart('hh:mm'.length, '0');
  return kit.vendorDateTime(
    reading,
    `${dayOf(date, timeZone)}T${time ?? '00:00'}`,
    `${path}.startTime`,
    timeZone,
  );
}

/** The end, from the difference of two times: the same whether they are UTC or the vendor's local time. */
function endAfter(startsAt: string, { startDateTime, endDateTime }: kit.JsonObject): string | undefined {
  if (!isTime(startDateTime) || !isTime(endDateTime) || endDateTime <= startDateTime) return undefined;
  const end = Date.parse(startsAt) + endDateTime - startDateTime;
  return isTime(end) ? new Date(end).toISOString().replace('.000Z', 'Z') : undefined;
}

/** Warns if the product's own time zone would give another start. Ignores UTC, the products' default. */
function warnOfOwnZone(
  reading: kit.Reading,
  activity: BookedActivity,
  startsAt: string,
  timeZone: string,
): void {
  const own = kit.textOf(kit.objectOf(activity.value.activity).timeZone);
  if (own === undefined || own === 'UTC' || !kit.isTimeZone(own)) return;
  if (startIn(new kit.Reading(), activity, own) === startsAt) return;
  const message = `the activity’s time zone is ${own}: its start was read in the account’s, ${timeZone}`;
  reading.warn('value_ignored', `${activity.path}.activity.timeZone`, message);
}

/** The session of an activity; `undefined` if it has no day. */
function readSession(
  reading: kit.Reading,
  activity: BookedActivity,
  timeZone: string,
): BookedSession | undefined {
  const { value, path } = activity;
  const startsAt = startIn(reading, activity, timeZone);
  if (startsAt === undefined) return undefined;
  if (kit.textOf(value.startTime) === undefined) {
    reading.warn('session_incomplete', path, `${path} has no time: the session is the whole day`);
  }
  warnOfOwnZone(reading, activity, startsAt, timeZone);
  const [own, listed] = [kit.objectOf(value.activity), kit.objectOf(value.product)];
  const fields = {
    startsAt,
    endsAt: endAfter(startsAt, value),
    activityId: value.productId ?? own.id ?? listed.id,
    // The title of the booked activity may include the rate.
    activityName: own.title ?? listed.title ?? value.title,
  };
  return kit.vendorSession(reading, fields, path);
}

const personOf = (contact: unknown): kit.Person => kit.vendorPerson(kit.objectOf(contact));

/** A guest's properties besides the name. Omits the passports, national ids and credentials in `info`. */
function furtherDetailsOf(info: kit.JsonObject): kit.JsonObject {
  return kit.definedFields({
    title: kit.textOf(info.title),
    dateOfBirth: kit.textOf(info.dateOfBirth),
    sex: kit.textOf(info.sex),
    nationality: kit.textOf(info.nationality),
    language: kit.textOf(info.language),
    address: kit.textOf(info.address),
    postCode: kit.textOf(info.postCode),
    place: kit.textOf(info.place),
    state: kit.textOf(info.state),
    country: kit.textOf(info.country),
    organization: kit.textOf(info.organization),
  });
}

/** A guest's answers to the vendor's questions, by question. */
function answersOf(...lists: readonly unknown[]): kit.JsonObject {
  const answers = lists.flatMap(kit.objectsIn).flatMap(({ question, type, answer }) => {
    const label = kit.textOf(question) ?? kit.textOf(type);
    const text = kit.textOf(answer);
    return label === undefined || text === undefined ? [] : [[label, text] as const];
  });
  return Object.fromEntries(answers);
}

/** `adult`, `child`, or the vendor's word for the category. */
function participantTypeOf({ pricingCategory, bookedTitle }: kit.JsonObject): string | undefined {
  const { ticketCategory, title } = kit.objectOf(pricingCategory);
  if (ticketCategory === 'ADULT' || ticketCategory === 'CHILD') return ticketCategory.toLowerCase();
  return kit.textOf(title) ?? kit.textOf(bookedTitle) ?? kit.textOf(ticketCategory);
}

/** The entries of an activity's people, each booked at the price of a category. */
const entriesOf = (reading: kit.Reading, { value, path }: BookedActivity) =>
  kit.requiredObjects(reading, value.pricingCategoryBookings ?? [], `${path}.pricingCategoryBookings`);

function guestOf({ value }: kit.ListedObject): Guest {
  const info = kit.objectOf(value.passengerInfo);
  const { age, leadPassenger } = value;
  return {
    ...answersOf(value.answers, value.bookingAnswers),
    ...furtherDetailsOf(info),
    participantType: participantTypeOf(value),
    // Bókun writes 0 for an unknown age.
    age: typeof age === 'number' && age > 0 ? age : undefined,
    leadPassenger: leadPassenger === true ? true : undefined,
    ...personOf(info),
    id: kit.textOf(value.id),
  };
}

/** The guests of the activities. A combo's parts are skipped: their guests are the combo's. */
const readGuests = (reading: kit.Reading, activities: readonly BookedActivity[]): Guest[] =>
  activities
    .filter(({ isOfCombo }) => !isOfCombo)
    .flatMap((activity) => entriesOf(reading, activity).map(guestOf));

/** Counts an activity's people by its entries: a category may be for a group, and be booked several times. */
function countOf(reading: kit.Reading, activity: BookedActivity): number {
  return entriesOf(reading, activity).reduce((sum, { value, path }) => {
    const { occupancy } = kit.objectOf(value.pricingCategory);
    const quantity = kit.requiredCount(reading, value.quantity ?? 1, `${path}.quantity`);
    return (
      sum + quantity * kit.requiredCount(reading, value.occupancy ?? occupancy ?? 1, `${path}.occupancy`)
    );
  }, 0);
}

function paxOf(reading: kit.Reading, activity: BookedActivity): number {
  const { value, path } = activity;
  const counted = countOf(reading, activity);
  // A group's occupancy may be the maximum that it admits. No real body has shown which number is right.
  if (value.totalParticipants === undefined || value.totalParticipants === null) return counted;
  const total = kit.requiredCount(reading, value.totalParticipants, `${path}.totalParticipants`);
  if (total !== counted) {
    const message = `${path} is for ${total}, its pricingCategoryBookings for ${counted}: the stated number counts`;
    reading.warn('count_disagrees', `${path}.totalParticipants`, message);
  }
  return total;
}

/** The number of people in the activities. A combo's parts are skipped: their people are the combo's. */
const readPax = (reading: kit.Reading, activities: readonly BookedActivity[]): number =>
  activities
    .filter(({ isOfCombo }) => !isOfCombo)
    .reduce((sum, activity) => sum + paxOf(reading, activity), 0);

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
  raiseForBokun(response, { purpose: 'read', bookingId });
  return readBooking(kit.expectObject(response.data), bookingId, account.timeZone);
}
