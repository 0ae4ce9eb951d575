import { readFileSync } from 'node:fs';

/** Reads a body from `fixtures/`. */
export function fixture(name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}

/** Reads an XML body from `fixtures/`. */
export const xmlFixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}.xml`, import.meta.url), 'utf8');
