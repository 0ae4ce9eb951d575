import { readFileSync } from 'node:fs';
import { expectObject, type JsonObject } from '@waiver-service/plugin-kit';

/** Reads a body from `fixtures/`, whatever it is. */
export function anyFixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}

/** Reads a body from `fixtures/` that is an object. */
export const fixture = (name: string): JsonObject => expectObject(anyFixture(name));
