import { readFileSync } from 'node:fs';

/** The bookings, each named after the case it covers. */
export const bookingNames = [
  'confirmed',
  'on-hold',
  'cancelled',
  'redeemed',
  'boats-for-several',
  'all-day',
  'over-midnight',
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
export const bookingId = '4b7f2c1e-6a0d-4e39-9d15-7c3f5a2b0001';
export const productId = 'av_310';
/** The uuid of a unit item, by position from 1. */
export const unitItemId = (place: number) => `${place}0000000-6a0d-4e39-9d15-7c3f5a2b000${place}`;
