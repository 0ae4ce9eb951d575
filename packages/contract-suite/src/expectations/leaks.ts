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

/** Every text that a log, a response or a debugger could derive from an error or from warnings. */
function textsOf(error: unknown): string[] {
  const deep = inspect(error, { depth: 30, showHidden: true, getters: true, maxStringLength: null });
  const own = chainOf(error).flatMap((link) =>
    link instanceof Error ? [link.message, link.stack ?? '', String(link), jsonOf(link)] : [],
  );
  return [deep, jsonOf(error), ...own];
}

// This much of a longer secret, such as a token, counts as shown, since a truncated text may cut it.
const shownLength = 24;

/** Expects an error or warnings to show no secret in messages, stacks, causes, JSON or a deep inspection. */
export function expectNoLeak(error: unknown, secrets: readonly string[], origin: string): void {
  const shown = textsOf(error).join('\n');
  for (const whole of secrets) {
    const secret = whole.slice(0, shownLength);
    for (const spelling of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      // Compared as a boolean: a failure must not print the secret.
      expect(shown.includes(spelling), `the result of ${origin} shows a secret`).toBe(false);
    }
  }
}
