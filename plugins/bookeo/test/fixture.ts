import { readFileSync } from 'node:fs';
import { expectObject, type JsonObject } from '@waiver-service/plugin-kit';

/** One of the bodies in `fixtures/`. */
export function fixture(name: string): JsonObject {
  const text = readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8');
  return expectObject(JSON.parse(text));
}
