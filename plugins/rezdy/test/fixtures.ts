import { readFileSync } from 'node:fs';

/** The order number of every fixture. */
export const orderNumber = 'R4REEF2';

/** Reads a fixture, with some fields of the booking changed; each is named after the case it covers. */
export function fixture(name: string, changes: object = {}): Readonly<Record<string, unknown>> {
  const text = readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8');
  const body = JSON.parse(text);
  return body.booking === undefined ? body : { ...body, booking: { ...body.booking, ...changes } };
}

/** The items of a fixture. */
export const itemsOf = (name: string): readonly Readonly<Record<string, unknown>>[] =>
  Object(fixture(name).booking).items;
