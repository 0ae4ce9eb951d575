import { setTimeout as delay } from 'node:timers/promises';
import {
  AuthenticationRejected,
  type BookingSystemPlugin,
  BookingSystemUnavailable,
  RateLimited,
} from '@waiver-service/core';
import { CannotDecrypt } from '@waiver-service/database';
import type { DueWebhooks } from '@waiver-service/store';
import pino from 'pino';
import { expect, test } from 'vitest';
import { attemptWaitMs, isRemovalGivenUp, WebhookKeeper } from '../src/calls/webhook-keeper.ts';
import { ownApi } from './setup/own-api.ts';

const minute = 60_000;

test('attempts are made after 10 s, 1, 5 and 30 min, and each hour from then on', () => {
  const waits = [1, 2, 3, 4, 5, 500].map((attempts) => attemptWaitMs(attempts, new Error('x')));
  expect(waits).toEqual([10_000, minute, 5 * minute, 30 * minute, 60 * minute, 60 * minute]);
});

test('a vendor that asks for time gets it, a day at most', () => {
  const asked = (retryAfterMs: number) => new RateLimited('slow down', { retryAfterMs });
  expect(attemptWaitMs(1, asked(90_000))).toBe(90_000);
  expect(attemptWaitMs(1, asked(1_000))).toBe(10_000);
  expect(attemptWaitMs(1, asked(400 * 60 * minute))).toBe(24 * 60 * minute);
});

test('a removal is given up once the account is not accepted, or time is up', () => {
  const giveUpAt = new Date(1_000_000);
  const isDown = new BookingSystemUnavailable('down');
  expect(isRemovalGivenUp(isDown, 999_999, giveUpAt)).toBe(false);
  expect(isRemovalGivenUp(isDown, 1_000_001, giveUpAt)).toBe(true);
  expect(isRemovalGivenUp(new AuthenticationRejected('no'), 0, giveUpAt)).toBe(true);
  expect(isRemovalGivenUp(new Error('a fault of ours'), 0, giveUpAt)).toBe(false);
});

/** It has webhooks, of which nothing is asked here. */
const vendor: BookingSystemPlugin = {
  ...ownApi,
  webhooks: {
    register: () => expect.fail('nothing is registered'),
    unregister: () => expect.fail('nothing is removed'),
  },
};

const due = (destination: string): DueWebhooks => ({
  destination,
  pool: 'pool',
  bookingSystem: vendor.installName,
  registered: undefined,
  removal: undefined,
  attempts: 1,
  request: 1,
});

/** A keeper whose attempts have nothing to do at a vendor, and are recorded by `finish`. */
function keeperOf(
  claims: (DueWebhooks | CannotDecrypt)[][],
  finish: (webhooks: { destination: string }) => Promise<void>,
) {
  const errors: string[] = [];
  let claimed = 0;
  const keeper = new WebhookKeeper(
    {
      vendorWebhooks: {
        onDue: () => {},
        claim: async () => {
          claimed += 1;
          return claims.shift() ?? [];
        },
        begin: async () => undefined,
        finish,
        release: async () => {},
      },
      installations: { configurationByDestination: async () => undefined },
      bookingSystems: { get: async () => expect.fail('nothing is removed') },
    },
    pino({}, { write: (line: string) => void errors.push(JSON.parse(line).err.message) }),
    { manifests: () => [vendor], resolve: () => vendor },
    {
      connectOnce: () => expect.fail('no vendor is called'),
      connectFormer: () => expect.fail('no vendor is called'),
    },
  );
  return { keeper, errors, claimed: () => claimed };
}

test('where one attempt cannot be recorded, the others are still waited for, before more begin and before a stop', async () => {
  const slow = Promise.withResolvers<void>();
  const { keeper, claimed } = keeperOf([[due('a'), due('b')]], ({ destination }) =>
    destination === 'a' ? Promise.reject(new Error('the database is away')) : slow.promise,
  );
  let isStopped = false;
  keeper.start();
  await delay(50);
  expect(claimed()).toBe(1);
  const stopped = keeper.stop().then(() => {
    isStopped = true;
  });
  await delay(50);
  expect(isStopped).toBe(false);
  slow.resolve();
  await stopped;
  expect(claimed()).toBe(1);
});

test('each attempt that cannot be recorded is in the log', async () => {
  const { keeper, errors } = keeperOf([[due('a'), due('b')]], async ({ destination }) => {
    throw new Error(`${destination} is away`);
  });
  keeper.start();
  await expect.poll(() => errors).toEqual(['a is away', 'b is away']);
  await keeper.stop();
});

test('webhooks that cannot be decrypted are in the log, and those beside them are worked on', async () => {
  const finished: string[] = [];
  const { keeper, errors } = keeperOf(
    [[new CannotDecrypt('another key'), due('b')]],
    async ({ destination }) => {
      finished.push(destination);
    },
  );
  keeper.start();
  await expect.poll(() => finished).toEqual(['b']);
  expect(errors).toEqual(['another key']);
  await keeper.stop();
});
