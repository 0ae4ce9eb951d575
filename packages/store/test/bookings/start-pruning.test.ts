import { expect, onTestFinished, test, vi } from 'vitest';
import { pruneBookings, startPruning } from '../../src/bookings/prune-bookings.ts';
import { openDatabase } from '../setup/open-database.ts';
import { openTestStore } from '../setup/open-test-store.ts';
import { untilBlocked } from '../setup/until-blocked.ts';

const intervalMs = 10 * 60_000;

test('no second pruning begins beside one that takes longer than the interval', async () => {
  const { url, query } = await openTestStore();
  let statements = 0;
  const database = openDatabase(url, () => {
    statements += 1;
  });
  await pruneBookings(database);
  const perPruning = statements;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const stop = startPruning(database, ({ message }) => expect.fail(message));
  vi.advanceTimersByTime(intervalMs);
  await expect.poll(() => statements).toBe(2 * perPruning);

  await query('begin');
  await query('lock table booking_refresh in access exclusive mode');
  vi.advanceTimersByTime(3 * intervalMs);
  await untilBlocked(query);
  let isStopped = false;
  const stopped = stop().then(() => {
    isStopped = true;
  });
  await untilBlocked(query);
  expect(isStopped).toBe(false);
  await query('commit');
  await stopped;
  expect(statements).toBe(3 * perPruning);
});
