import { readFileSync } from 'node:fs';

export function fixture(name: string): { readonly booking: Readonly<Record<string, unknown>> } {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}
