import { expect, test } from 'vitest';
import { type SendOptions, sendMessage } from '../../src/dispatcher/send-message.ts';
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
