import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { BookingSystemPlugin } from '@waiver-service/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Clause } from '../src/clause.ts';
import { allClauses } from '../src/clauses/all-clauses.ts';
import { runClause } from '../src/run-clause.ts';
import { withParts } from './bad-plugins/alterations.ts';
import { goodNativePlugin } from './good-native-plugin.ts';
import { goodLegacyPlugin, goodPlugin } from './good-plugins.ts';

function clause(id: string): Clause {
  const found = allClauses.find((one) => one.id === id);
  if (!found) throw new Error(`there is no clause ${id}`);
  return found;
}

/** Reads twice where once was asked for. */
const eagerPlugin = withParts({
  async fetchBooking(context, bookingId) {
    await context.http.get('bookings/another').catch(() => undefined);
    return goodPlugin.fetchBooking(context, bookingId);
  },
});

/** Answers without asking anybody. */
const idlePlugin = withParts({
  pushWaiver: async () => ({ accepted: true, warnings: [] }),
});

const applying = (plugin: BookingSystemPlugin) =>
  allClauses.filter(({ appliesTo }) => appliesTo?.(plugin) ?? true).map(({ id }) => id);

describe('a clause is not passed by chance', () => {
  test('a request that no one expected fails it, and is named', async () => {
    await expect(runClause(clause('read/current-form'), eagerPlugin)).rejects.toThrow(
      /no one expected.*GET .*\/bookings\/BK-2001/,
    );
  });

  test('a request that is never made fails it', async () => {
    await expect(runClause(clause('guest-update/success'), idlePlugin)).rejects.toThrow('never made');
  });

  test('a plugin with an API of its own and no scenarios fails, and is told what to give', async () => {
    await expect(runClause(clause('native/bodies'), goodNativePlugin)).rejects.toThrow('must give scenarios');
    await expect(runClause(clause('error/401'), goodNativePlugin)).rejects.toThrow('must give scenarios');
  });

  test('the report of a leak does not show the secret again', async () => {
    const leaking = withParts({
      fetchBooking: async ({ account }) => {
        throw new Error(`wrong key ${account.apiKey}`);
      },
    });
    const report = await runClause(clause('secrets/read-errors'), leaking).catch((error: unknown) => error);
    expect(report).toBeInstanceOf(Error);
    expect(inspect(report, { depth: 10 })).not.toContain('planted-account-key');
  });
});

describe('the manifest alone says what is skipped', () => {
  test('a plugin that takes nothing back is asked for no Guest Update', () => {
    expect(applying(goodLegacyPlugin).filter((id) => id.startsWith('guest-update/'))).toEqual([]);
    expect(applying(goodLegacyPlugin)).not.toContain('read/current-form');
    expect(applying(goodLegacyPlugin)).toContain('read/legacy-form');
  });

  test('a vendor’s own API is asked for the errors, not for the contract’s forms', () => {
    const ids = applying(goodNativePlugin);
    expect(ids).toEqual(expect.arrayContaining(['error/401', 'error/timeout', 'secrets/read-errors']));
    expect(ids).toEqual(
      expect.arrayContaining(['guest-update/429', 'native/guest-updates', 'native/inbound']),
    );
    expect(ids.filter((id) => id.startsWith('tolerance/'))).toEqual([]);
    expect(ids).not.toContain('guest-update/body');
  });

  test('a plugin of the contract is asked for everything but a vendor’s own', () => {
    const skipped = allClauses.map(({ id }) => id).filter((id) => !applying(goodPlugin).includes(id));
    expect(skipped.every((id) => id.startsWith('native/'))).toBe(true);
  });
});

test('after a clause the other tests of the same process may use the network', async () => {
  const server = createServer((_, response) => response.end('reached'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  await runClause(clause('read/current-form'), goodPlugin);
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}`);
  expect(await answer.text()).toBe('reached');
});
