import { readFileSync } from 'node:fs';

type Body = Readonly<Record<string, unknown>>;

/** The uuid of every booking. */
export const bookingId = '4b7f2c1e-6a0d-4e39-9d15-7c3f5a2b0001';
export const productId = 'av_310';
/** The uuid of a unit item, by position from 1. */
export const unitItemId = (place: number) => `${place}0000000-6a0d-4e39-9d15-7c3f5a2b000${place}`;

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));

const confirmed = read('confirmed');
const { availability, unitItems } = confirmed;

const changed = (changes: object) => ({ ...confirmed, ...changes });
const at = (changes: object) => changed({ availability: { ...availability, ...changes } });

/** Bodies that differ from one of the files by these values; one that is undefined is missing. */
export const variants: Readonly<Record<string, Body>> = JSON.parse(
  JSON.stringify({
    cancelled: changed({
      status: 'CANCELLED',
      cancellable: false,
      cancellation: { refund: 'FULL', reason: 'Weather', utcCancelledAt: '2027-06-01T09:00:00Z' },
    }),
    redeemed: changed({
      cancellable: false,
      voucher: { ...confirmed.voucher, utcRedeemedAt: '2027-07-04T01:20:00Z', deliveryOptions: [] },
    }),
    'boats-for-several': changed({
      unitItems: ['seat_double', 'raft_six'].map((unitId, index) => ({
        ...unitItems[index],
        unitId,
        pricing: undefined,
      })),
    }),
    'all-day': at({ localDateTimeStart: '2027-07-03T09:00:00-07:00', allDay: true }),
    'over-midnight': at({
      localDateTimeStart: '2027-07-03T22:30:00-07:00',
      localDateTimeEnd: '2027-07-04T01:00:00-07:00',
    }),
    'times-without-an-offset': at({
      localDateTimeStart: '2027-07-03T18:30:00',
      localDateTimeEnd: '2027-07-03T21:00:00',
    }),
  }),
);

/** The bookings, each named after the case it covers. */
export const bookingNames: readonly string[] = ['confirmed', 'on-hold', ...Object.keys(variants)];

/** Reads a fixture, with some fields changed. */
export const fixture = (name: string, changes: object = {}): Body => ({
  ...(variants[name] ?? read(name)),
  ...changes,
});
