import { readFileSync } from 'node:fs';
import { expectObject, type JsonObject } from '@waiver-service/plugin-kit';

export function fixture(name: string): JsonObject {
  const text = readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8');
  return expectObject(JSON.parse(text));
}
