import type { AnswerMeaning, BookingSystemResponse, Waiver } from '@waiver-service/core';
import { beforeEach, expect, test } from 'vitest';
import { defineBookingSystem } from '../src/index.ts';
import { apiKey, byPath, startBookingSystem } from './setup.ts';

const waiver: Waiver = {
  id: 'w1',
  pool: 'pool-1',
  bookingId: 'B1',
  lastVisit: '2026-05-01T09:30:00Z',
  deleted: false,
  updatedAt: '2026-05-01T09:31:02.123Z',
};
let judged: AnswerMeaning | undefined;
let asked: BookingSystemResponse[] = [];
const plugin = defineBookingSystem({
  ...byPath,
  judgeAnswer(answer) {
    asked.push(answer);
    return judged;
  },
});

const { server, setup } = await startBookingSystem();
beforeEach(() => {
  asked = [];
});

const read = () => plugin.fetchBooking(setup.context(plugin, { purpose: 'read' }), 'B1');
const push = async () => plugin.pushWaiver?.(setup.context(plugin, { purpose: 'guest-update' }), waiver);

test.each([
  ['throttled', 'booking_system_rate_limited', 'booking_system_rate_limited', undefined],
  ['bad-key', 'booking_system_auth_rejected', 'booking_system_auth_rejected', undefined],
  ['no-permission', 'booking_system_auth_rejected', 'booking_system_auth_rejected', undefined],
  ['not-found', 'booking_not_found', 'waiver_rejected', 'schedule'],
  ['gone', 'booking_not_found', 'waiver_rejected', 'never'],
] as const)(
  'an answer that means %s is the error for it, of a read and of a write, whatever its status',
  async (meaning, ofRead, ofWrite, retry) => {
    judged = { meaning, vendorMessage: `no, ${apiKey}` };
    for (const status of [200, 418]) {
      const outboundErrorCode = status === 200 ? 'not_accepted' : 'http_status';
      const common = { upstreamStatus: status, outboundErrorCode, inDoubt: false };
      server.willAnswer({ status, body: { success: true } });
      const error = await read().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: ofRead, ...common });
      expect(String(error)).toContain('saying "no, ');
      expect(String(error)).not.toContain(apiKey);
      server.willAnswer({ status, body: { success: true } });
      const refusal = expect(push()).rejects;
      await refusal.toMatchObject({ code: ofWrite, ...common, ...(retry && { retry }) });
    }
  },
);

test('how long to wait is what the plugin says, else what Retry-After says', async () => {
  const answer = { status: 403, headers: { 'retry-after': '9' }, body: {} };
  judged = { meaning: 'throttled' };
  server.willAnswer(answer);
  await expect(read()).rejects.toMatchObject({ retryAfterMs: 9_000, notSent: false });
  judged = { meaning: 'throttled', retryAfterMs: 300 };
  server.willAnswer(answer);
  await expect(read()).rejects.toMatchObject({ retryAfterMs: 300 });
});

test('what a plugin does not know stays what its status says; it sees status, headers and body', async () => {
  judged = undefined;
  server.willAnswer({ status: 429, headers: { 'retry-after': '2', 'x-own': 'a' }, body: { error: 'E' } });
  await expect(read()).rejects.toMatchObject({ code: 'booking_system_rate_limited', retryAfterMs: 2_000 });
  expect(asked).toMatchObject([{ status: 429, data: { error: 'E' } }]);
  expect(asked[0]?.headers['x-own']).toBe('a');
  server.willAnswer({ body: { success: true } });
  await expect(push()).resolves.toMatchObject({ accepted: true });
});

test('a redirect is judged by its status only, and stays the error for a redirect where it means nothing', async () => {
  const answer = { status: 303, headers: { location: '/elsewhere' }, body: { error: 'E' } };
  judged = { meaning: 'bad-key', vendorMessage: 'no permission' };
  server.willAnswer(answer);
  await expect(read()).rejects.toMatchObject({
    code: 'booking_system_auth_rejected',
    upstreamStatus: 303,
    message: expect.stringContaining('no permission'),
  });
  expect(asked[0]).toEqual({ status: 303, headers: {}, data: undefined });
  judged = undefined;
  server.willAnswer(answer);
  await expect(read()).rejects.toMatchObject({
    code: 'booking_system_error',
    outboundErrorCode: 'redirect',
  });
});
