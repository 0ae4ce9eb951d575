import { readFileSync } from 'node:fs';

/** A body of `fixtures/`, by its name. */
export function fixture(name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}

/** A body in XML of `fixtures/`, by its name. */
export const xmlFixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}.xml`, import.meta.url), 'utf8');
