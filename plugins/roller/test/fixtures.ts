import { readFileSync } from 'node:fs';
import { expectObject, type JsonObject } from '@waiver-service/plugin-kit';

export function anyFixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}

export const fixture = (name: string): JsonObject => expectObject(anyFixture(name));
