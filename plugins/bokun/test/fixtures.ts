import { readFileSync } from 'node:fs';
import { expectObject, type JsonObject } from '@waiver-service/plugin-kit';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));

const twoGuests = read('two-named-guests');
const combo = read('combo');
const bus = { bookingId: 138400209, status: 'CONFIRMED', title: 'Airport bus' };

/** The booking of one activity, with changes; without an activity if that is null. */
const one = (changes: object, activity: object | null = {}) => ({
  ...twoGuests,
  ...changes,
  activityBookings: activity === null ? [] : [{ ...twoGuests.activityBookings[0], ...activity }],
});

/** Two activities: a combo and its part as if they were booked separately. */
const two = (first: object, second: object) => {
  const [hike, lagoon] = combo.activityBookings;
  const booked = {
    comboChildBookings: undefined,
    title: 'Glacier hike (Standard)',
    activity: { ...hike.activity, title: 'Glacier hike' },
  };
  const other = {
    comboParentBooking: undefined,
    pricingCategoryBookings: [lagoon.pricingCategoryBookings[0]],
    totalParticipants: 1,
  };
  return {
    ...combo,
    activityBookings: [
      { ...hike, ...booked, ...first },
      { ...lagoon, ...other, ...second },
    ],
  };
};

const inStatus = (status: string) => one({ status }, { status });
const { activity } = twoGuests.activityBookings[0];
const pass = { startTime: null, activity: { ...activity, bookingType: 'PASS' } };

/** Bodies that differ from one of the files by these values; one that is undefined is missing. */
export const variants: Readonly<Record<string, JsonObject>> = JSON.parse(
  JSON.stringify({
    cancelled: inStatus('CANCELLED'),
    reserved: inStatus('RESERVED'),
    'timed-out': inStatus('TIMEOUT'),
    'cancelled-without-activities': one({ status: 'CANCELLED' }, null),
    'only-transport': one({ routeBookings: [bus] }, null),
    'transport-beside-an-activity': one({ routeBookings: [bus] }),
    'hidden-contact-details': one({
      customer: {
        ...twoGuests.customer,
        contactDetailsHidden: true,
        email: null,
        phoneNumber: null,
        contactDetailsHiddenUntil: 1812700000000,
      },
    }),
    'day-without-a-time': one(
      {},
      {
        startTime: null,
        startTimeId: null,
        startDateTime: 1812758400000,
        endDateTime: null,
        activity: { ...activity, bookingType: 'DATE' },
      },
    ),
    'end-equals-start': one({}, { endDateTime: twoGuests.activityBookings[0].startDateTime }),
    'without-times-of-its-end': one({}, { startDateTime: undefined, endDateTime: undefined }),
    'unknown-start-time': one({}, { startTime: 'morning' }),
    'product-in-another-zone': one({}, { activity: { ...activity, timeZone: 'Europe/Oslo' } }),
    'more-people-than-entries': one({}, { totalParticipants: 3 }),
    'only-a-pass': one({}, pass),
    'two-activities': two({}, {}),
    'every-activity-cancelled': two({ status: 'CANCELLED' }, { status: 'CANCELLED' }),
    'pass-beside-an-activity': two(
      {},
      { ...pass, activity: { id: 728103, title: 'Season pass', bookingType: 'PASS' } },
    ),
  }),
);

export const fixture = (name: string): JsonObject => variants[name] ?? expectObject(read(name));
