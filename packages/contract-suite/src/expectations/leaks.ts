import { inspect } from 'node:util';
import { expect } from 'vitest';

function jsonOf(value: unknown): string {
  const seen = new Set<unknown>();
  const withoutCycles = (_name: string, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null) return typeof inner === 'bigint' ? String(inner) : inner;
    if (seen.has(inner)) return undefined;
    seen.add(inner);
    return inner;
  };
  return JSON.stringify(value, withoutCycles) ?? '';
}

function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link instanceof Error && !chain.includes(link); link = link.cause) chain.push(link);
  return chain;
}

/** Every text that a log, an answer or a debugger could make of an error or of warnings. */
function textsOf(error: unknown): string[] {
  const deep = inspect(error, { depth: 30, showHidden: true, getters: true, maxStringLength: null });
  const own = chainOf(error).flatMap((link) =>
    link instanceof Error ? [link.message, link.stack ?? '', String(link), jsonOf(link)] : [],
  );
  return [deep, jsonOf(error), ...own];
}

/** Expects an error, or warnings, to show no secret: not in a message, stack, causes, JSON, nor when looked into at depth. */
export function expectNoLeak(error: unknown, secrets: readonly string[], what: string): void {
  const shown = textsOf(error).join('\n');
  for (const secret of secrets) {
    for (const spelling of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      // The text itself is kept out of the message, or the report would show the secret again.
      expect(shown.includes(spelling), `what came of ${what} shows a secret`).toBe(false);
    }
  }
}
