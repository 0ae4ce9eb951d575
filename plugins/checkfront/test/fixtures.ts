import { readFileSync } from 'node:fs';

export function fixture(name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}

export const xmlFixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}.xml`, import.meta.url), 'utf8');
