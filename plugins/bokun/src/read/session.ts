import type { BookedSession } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import {
  type JsonObject,
  type ListedObject,
  objectOf,
  type Reading,
  requiredObjects,
  textOf,
  warnOfUnknownStatus,
} from '@waiver-service/plugin-kit';
import { isCancelled, statusMap } from '../answers.ts';

/** One booked activity, an entry of `activityBookings`. */
export interface BookedActivity extends ListedObject {
  /** Part of a combo in the same booking: its people are the combo's. */
  readonly isOfCombo: boolean;
}

const idOf = ({ bookingId, id }: JsonObject) => textOf(bookingId) ?? textOf(id);

// A pass is valid on many days and is not booked for any of them.
const isPass = ({ activity }: JsonObject) => objectOf(activity).bookingType === 'PASS';

/** Bookings of other kinds of product: none of them is an activity with a time. */
const otherKinds = ['accommodationBookings', 'routeBookings', 'carRentalBookings', 'giftCardBookings'];

function warnOfOtherKinds(reading: Reading, booking: JsonObject): void {
  for (const kind of otherKinds) {
    const list = booking[kind];
    if (!Array.isArray(list) || list.length === 0) continue;
    reading.warn('item_skipped', kind, `${kind} are no activities: all ${list.length} were left out`);
  }
}

/** All activities of a booking, including cancelled ones. */
export function activitiesOf(reading: Reading, booking: JsonObject): readonly BookedActivity[] {
  warnOfOtherKinds(reading, booking);
  const listed = requiredObjects(reading, booking.activityBookings ?? [], 'activityBookings');
  const ids = new Set(listed.map(({ value }) => idOf(value)));
  return listed.map((one) => {
    const combo = idOf(objectOf(one.value.comboParentBooking));
    return { ...one, isOfCombo: combo !== undefined && ids.has(combo) };
  });
}

/** The activities of a booking that is not cancelled, without passes and those cancelled individually. */
export function attendedActivities(
  reading: Reading,
  activities: readonly BookedActivity[],
): readonly BookedActivity[] {
  return activities.filter(({ value, path }) => {
    const reason = isCancelled(value.status) ? 'was cancelled' : isPass(value) ? 'is a pass' : undefined;
    if (reason !== undefined) reading.warn('item_skipped', path, `${path} ${reason}: it was left out`);
    const status = textOf(value.status);
    if (reason === undefined && status !== undefined) {
      const meaning = 'its people are expected';
      warnOfUnknownStatus(reading, statusMap, { status, path: `${path}.status`, meaning });
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
export function readSession(
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
