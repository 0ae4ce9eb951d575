import { readFileSync } from 'node:fs';

/** The fixtures, each named after the case it covers. */
export const fixtureNames = [
  'two-adults-with-names',
  'every-contact-is-the-bookers',
  'three-unit-items-with-one-uuid',
  'unit-item-on-hold-in-a-confirmed-booking',
  'cancelled-unit-item',
  'family-of-four',
  'empty-texts',
  'all-day',
  'start-time-from-midnight-to-midnight',
  'opening-hours',
  'open-dated',
  'times-without-an-offset',
  'on-hold-without-a-contact',
  'not-cancellable',
  'waivers-per-unit',
] as const;

export type FixtureName = (typeof fixtureNames)[number];

/** Reads a fixture, with some fields changed. */
export function fixture(name: FixtureName, changes: object = {}): Readonly<Record<string, unknown>> {
  const text = readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8');
  return { ...JSON.parse(text), ...changes };
}

/** The uuid of every fixture. */
export const bookingId = '8812aaaa-6a41-4c0e-9d3b-77a1c5e0aaf0';
/** The uuid of a fixture's unit item, by position from 1. */
export const unitItemId = (place: number) => `${place}0000000-6a41-4c0e-9d3b-77a1c5e0aa0${place}`;
