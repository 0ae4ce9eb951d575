import { RateLimited } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { expectRejection } from '../expectations/rejection.ts';
import type { ClauseKit, MethodAnswer } from '../kit/clause-kit.ts';
import { writes } from '../manifest-predicates.ts';

const section = 'delivery, limits of a booking system';

/** Makes a call whose requests are answered, and expects each of them to have been counted. */
async function expectCounted(
  kit: ClauseKit,
  answers: readonly MethodAnswer[],
  call: (beforeRequest: () => Promise<void>) => Promise<unknown>,
): Promise<void> {
  const before = kit.partner.requests.length;
  for (const { method, answer } of answers) kit.partner.willAnswer(method, answer);
  let counted = 0;
  await call(async () => {
    counted += 1;
  });
  expect(counted, 'requests that were counted').toBe(kit.partner.requests.length - before);
}

/** Holds back each of a call's requests in turn, and expects the call to reject with that. */
async function expectHeldBack(
  kit: ClauseKit,
  answers: readonly MethodAnswer[],
  call: (beforeRequest: () => Promise<void>) => Promise<unknown>,
): Promise<void> {
  for (const place of answers.keys()) {
    for (const { method, answer } of answers.slice(0, place)) kit.partner.willAnswer(method, answer);
    let made = 0;
    const holdBack = async () => {
      made += 1;
      if (made > place) throw new RateLimited('the limits are used up', { notSent: true, retryAfterMs: 700 });
    };
    const fields = { notSent: true, retryAfterMs: 700 };
    await expectRejection(call(holdBack), 'booking_system_rate_limited', fields);
  }
}

/** Every request goes by the client that the plugin was given, which counts it and may hold it back. */
export const requestLimitClauses: readonly Clause[] = [
  {
    id: 'requests/read-counted',
    section,
    title: 'every request of a read is made, and counted, by the client',
    run: (kit) =>
      expectCounted(kit, kit.readAnswers, (beforeRequest) => kit.read(kit.bookingId, { beforeRequest })),
  },
  {
    id: 'requests/write-counted',
    section,
    title: 'every request of a write is made, and counted, by the client',
    appliesTo: writes,
    run: (kit) =>
      expectCounted(kit, kit.writeAnswers, (beforeRequest) => kit.push(kit.waiver, { beforeRequest })),
  },
  {
    id: 'requests/read-held-back',
    section,
    title: 'a read of which any request is held back rejects with that error, and makes no other request',
    run: (kit) =>
      expectHeldBack(kit, kit.readAnswers, (beforeRequest) => kit.read(kit.bookingId, { beforeRequest })),
  },
  {
    id: 'requests/write-held-back',
    section,
    title: 'a write of which any request is held back rejects with that error, so that it goes later',
    appliesTo: writes,
    run: (kit) =>
      expectHeldBack(kit, kit.writeAnswers, (beforeRequest) => kit.push(kit.waiver, { beforeRequest })),
  },
];
