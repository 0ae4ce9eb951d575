import { readFileSync } from 'node:fs';

type Body = Readonly<Record<string, unknown>>;

/** The uuid of every booking. */
export const bookingId = '90210aaa-3c1d-4b7e-8f60-5d2b7a1c0001';
export const productId = '5d1ab0f4-77aa-4a52-8a53-0c6fbb2d0001';
/** The uuid of a unit item, by position from 1. */
export const unitItemId = (place: number) => `${place}0000000-3c1d-4b7e-8f60-5d2b7a1c000${place}`;

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
      cancellation: { refund: 'FULL', reason: null, utcCancelledAt: '2027-05-01T08:00:00Z' },
      unitItems: unitItems.map((item: object) => ({
        ...item,
        status: 'CANCELLED',
        contact: unitItems[0].contact,
      })),
    }),
    'whole-raft': changed({ unitItems: [{ ...unitItems[0], unitId: 'rafts_01' }] }),
    'times-without-an-offset': at({
      id: '2027-07-03T10:00:00',
      localDateTimeStart: '2027-07-03T10:00:00',
      localDateTimeEnd: '2027-07-03T13:30:00',
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
