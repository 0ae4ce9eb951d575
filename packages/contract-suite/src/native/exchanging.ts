import { expect } from 'vitest';
import type { ClauseKit } from '../kit/clause-kit.ts';
import { expectNativeRequest } from './expect-native-request.ts';
import type { NativeExchange } from './native-scenarios.ts';

/** Responds to a call's requests, and expects exactly those of the exchanges. */
export async function exchanging<T>(
  kit: ClauseKit,
  exchanges: readonly NativeExchange[],
  call: () => Promise<T>,
  bookingId: string = kit.bookingId,
): Promise<T> {
  const before = kit.partner.requests.length;
  for (const { request, answer } of exchanges) kit.partner.willAnswer(request.method, answer);
  const result = await call();
  const made = kit.partner.requests.slice(before);
  expect(made.length, 'the number of requests').toBe(exchanges.length);
  for (const [index, { request }] of exchanges.entries()) {
    expectNativeRequest(kit, made[index], request, bookingId);
  }
  return result;
}
