import { readFileSync } from 'node:fs';

/** A body of `fixtures/`, by its name. */
export function fixture(name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}
