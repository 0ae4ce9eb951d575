import { expect, onTestFinished, test, vi } from 'vitest';
import { type DispatcherEvent, startAttemptPruner } from '../../src/index.ts';

const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 });

test('old attempts are removed in batches until few are left; a failure is reported, and the next round retries', async () => {
  const limits: number[] = [];
  const events: DispatcherEvent[] = [];
  const retentionMs = 86_400_000;
  // A round ends with a batch that is not full, or with a failure.
  const batches = [1_000, 1_000, 999, new Error('the database is away'), 1_000, 0];
  let everyMs = 3_600_000;
  const prune = () =>
    startAttemptPruner({
      outbox: {
        async pruneAttempts(olderThanMs, limit) {
          expect(olderThanMs).toBe(retentionMs);
          limits.push(limit);
          const batch = batches.shift() ?? 0;
          if (batch instanceof Error) throw batch;
          return batch;
        },
      },
      retentionMs,
      onEvent: (event) => events.push(event),
      everyMs,
    });
  const first = prune();
  onTestFinished(() => first.stop());
  await until(() => expect(limits).toHaveLength(3));
  await first.stop();
  expect(events).toEqual([]);

  everyMs = 10;
  const second = prune();
  onTestFinished(() => second.stop());
  await until(() => expect(limits.length).toBeGreaterThan(6));
  await second.stop();
  expect(events).toEqual([{ type: 'fault', doing: 'pruning attempts', error: expect.any(Error) }]);
  expect(new Set(limits)).toEqual(new Set([1_000]));
});
