import type { Warning } from '@waiver-service/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keptWarnings, type SendOptions, sendMessage } from '../../src/dispatcher/send-message.ts';
import type { Sender } from '../../src/index.ts';
import { queued } from '../setup/in-flight-message.ts';

const options = (send: Sender): SendOptions => ({
  senders: {
    guestWebhook: send,
    alert: send,
    invitation: send,
    guestUpdate: async () => {
      throw new Error('not for a webhook');
    },
  },
  policy: { retrySchedule: [0, 1_000], pauseAfterMs: 1_000, probeIntervalMs: 1_000 },
  mustEndAt: () => Number.POSITIVE_INFINITY,
  onEvent: () => {},
});
const answer = 'Ann, 170 cm';

test('the answer of a receiver that took a record is not kept: it may be the record itself', async () => {
  const { finished } = await sendMessage(
    queued(),
    options(async () => ({ outcome: 'accepted', status: 200, response: answer, durationMs: 1 })),
  );
  expect(finished.attempt).toMatchObject({ outcome: 'accepted', status: 200, response: undefined });
});

test('the answer of a receiver that refused one is kept', async () => {
  const { finished } = await sendMessage(
    queued(),
    options(async () => ({
      outcome: 'refused',
      status: 500,
      retry: 'schedule',
      response: answer,
      durationMs: 1,
    })),
  );
  expect(finished.attempt).toMatchObject({ outcome: 'refused', response: answer });
});

test('a message that was aborted before it began is not sent', async () => {
  const entry = queued();
  entry.abort.abort();
  let calls = 0;
  const { finished } = await sendMessage(
    entry,
    options(async () => {
      calls += 1;
      return { outcome: 'accepted', durationMs: 1 };
    }),
  );
  expect(calls).toBe(0);
  expect(finished.decision).toEqual({ kind: 'release', waitMs: 0 });
});

const warning = fc.record(
  {
    code: fc.constant('waiver_partly_written' as const),
    path: fc.string({ maxLength: 400, unit: 'grapheme' }),
    message: fc.string({ maxLength: 1_200, unit: 'grapheme' }),
  },
  { requiredKeys: ['code', 'message'] },
);

test('however many and long they are, stored warnings are limited, and state how many were omitted', () => {
  fc.assert(
    fc.property(fc.array(warning, { maxLength: 120 }), (warnings) => {
      const kept = keptWarnings(warnings);
      expect(kept.length).toBeLessThanOrEqual(50);
      expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(16_384);
      const last = kept.at(-1);
      const leftOut = last?.code === 'warnings_left_out' ? Number.parseInt(last.message, 10) : 0;
      expect(kept.length - (leftOut > 0 ? 1 : 0) + leftOut).toBe(warnings.length);
    }),
  );
});

test('as many as may be kept are all kept, as they are', () => {
  const warnings: Warning[] = Array.from({ length: 50 }, (_, place) => ({
    code: 'waiver_partly_written',
    message: `part ${place}`,
  }));
  expect(keptWarnings(warnings)).toEqual(warnings);
  expect(keptWarnings([...warnings, ...warnings]).at(-1)?.message).toBe('51 more warnings are not kept');
});

test('one that is left out is one', () => {
  const warnings: Warning[] = Array.from({ length: 51 }, () => ({ code: 'item_skipped', message: 'x' }));
  expect(keptWarnings(warnings).at(-1)).toEqual({
    code: 'warnings_left_out',
    message: '2 more warnings are not kept',
  });
  const long = 'x'.repeat(500);
  // As many as fit into 16 KiB beside the one that counts the omitted.
  const bytesOfOne = Buffer.byteLength(JSON.stringify({ code: 'item_skipped', message: long })) + 1;
  const fitting = Math.floor((16_384 - 100) / bytesOfOne);
  const filled = (count: number): Warning[] =>
    Array.from({ length: count }, () => ({ code: 'item_skipped', message: long }));
  expect(keptWarnings(filled(fitting))).toHaveLength(fitting);
  expect(keptWarnings(filled(fitting + 1)).at(-1)?.message).toBe('1 more warning is not kept');
});

test('a long message and a long path are cut, and end in an ellipsis', () => {
  const kept = (path: string, message: string) => keptWarnings([{ code: 'value_ignored', path, message }]);
  expect(kept('p'.repeat(200), 'm'.repeat(500))).toEqual([
    { code: 'value_ignored', path: 'p'.repeat(200), message: 'm'.repeat(500) },
  ]);
  expect(kept('p'.repeat(201), 'm'.repeat(501))).toEqual([
    { code: 'value_ignored', path: `${'p'.repeat(199)}…`, message: `${'m'.repeat(499)}…` },
  ]);
});
