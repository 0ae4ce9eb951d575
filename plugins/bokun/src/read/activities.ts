import {
  type JsonObject,
  type ListedObject,
  objectOf,
  type Reading,
  requiredObjects,
  textOf,
  warnOfUnknownStatus,
} from '@waiver-service/plugin-kit';
import { isCancelled, statusMap } from '../status-map.ts';

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
