import { readFileSync } from 'node:fs';

/** The bookings, each named after the case it covers. */
export const bookingNames = [
  'confirmed',
  'on-hold',
  'cancelled',
  'whole-raft',
  'times-without-an-offset',
] as const;

/** Reads a fixture, with some fields changed. */
export function fixture(
  name: (typeof bookingNames)[number] | 'product',
  changes: object = {},
): Readonly<Record<string, unknown>> {
  const text = readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8');
  return { ...JSON.parse(text), ...changes };
}

/** The uuid of every booking. */
export const bookingId = '90210aaa-3c1d-4b7e-8f60-5d2b7a1c0001';
export const productId = '5d1ab0f4-77aa-4a52-8a53-0c6fbb2d0001';
/** The uuid of a unit item, by position from 1. */
export const unitItemId = (place: number) => `${place}0000000-3c1d-4b7e-8f60-5d2b7a1c000${place}`;
