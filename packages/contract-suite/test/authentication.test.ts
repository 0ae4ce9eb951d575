import type { BookingSystemPlugin } from '@waiver-service/core';
import { describe, expect, test } from 'vitest';
import { allClauses, runClause } from '../src/run-contract-suite.ts';
import { goodNativePlugin, nativeOptions } from './good-native-plugin.ts';
import { signedOptions, signedParts, signedPlugin } from './good-signed-plugin.ts';

/** The clauses about authentication that a plugin violates. */
async function violatedBy(plugin: BookingSystemPlugin, options = signedOptions): Promise<string[]> {
  const violated: string[] = [];
  for (const clause of allClauses.filter(({ id }) => id.startsWith('authentication/'))) {
    await runClause(clause, plugin, options).catch(() => violated.push(clause.id));
  }
  return violated;
}

const atStart = new Date();

describe('a mistake in a signature is noticed', () => {
  test.each<[string, Parameters<typeof signedPlugin>[0]]>([
    [
      'the path without the base address’s own',
      (request) => ({
        ...signedParts(request),
        address: signedParts(request).address.replace('/partner/api', ''),
      }),
    ],
    ['no query', (request) => ({ ...signedParts(request), address: request.url.pathname })],
    [
      'a decoded path',
      (request) => ({ ...signedParts(request), address: decodeURIComponent(signedParts(request).address) }),
    ],
    [
      'the date of the process’s start',
      (request) => ({ ...signedParts(request), date: signedParts({ ...request, now: atStart }).date }),
    ],
    [
      'a date in another notation',
      (request) => ({ ...signedParts(request), date: request.now.toISOString() }),
    ],
    [
      'a date without leading zeros',
      (request) => ({ ...signedParts(request), date: signedParts(request).date.replace('-0', '-') }),
    ],
    ['the system’s clock', (request) => signedParts({ ...request, now: new Date() })],
  ])('%s', async (_mistake, parts) => {
    expect(await violatedBy(signedPlugin(parts))).toContain('authentication/authentic');
  });

  test('none is found where there is none', async () => {
    expect(await violatedBy(signedPlugin(signedParts))).toEqual([]);
  });
});

test('a plugin’s test that does not say what is authentic, or accepts anything, is told so', async () => {
  const { isAuthentic: _isAuthentic, ...silent } = nativeOptions;
  expect(await violatedBy(goodNativePlugin, silent)).toEqual([
    'authentication/authentic',
    'authentication/other-secret',
  ]);
  expect(await violatedBy(goodNativePlugin, { ...nativeOptions, isAuthentic: () => true })).toEqual([
    'authentication/other-secret',
  ]);
});
