import { expect, onTestFinished, test, vi } from 'vitest';
import { createLargeBodyTurns } from '../../src/http/large-bodies.ts';

const large = 4 * 1024 * 1024;

function fakeClock() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

/** Work that holds the event loop. */
const workOf = (ms: number) => () => {
  vi.advanceTimersByTime(ms);
};

test('after a large body, other requests have twice its time before the next one; small bodies do not wait', async () => {
  fakeClock();
  const parseInTurn = createLargeBodyTurns();
  const parsed: string[] = [];
  await parseInTurn(large, workOf(30));
  const second = parseInTurn(large, () => parsed.push('large'));
  await vi.advanceTimersByTimeAsync(59);
  await parseInTurn(200, () => parsed.push('small'));
  expect(parsed).toEqual(['small']);
  await vi.advanceTimersByTimeAsync(1);
  await second;
  expect(parsed).toEqual(['small', 'large']);
});

test('a large body that cannot be parsed does not hold up those behind it', async () => {
  fakeClock();
  const parseInTurn = createLargeBodyTurns();
  const refused = parseInTurn(large, () => {
    throw new SyntaxError('cut off');
  });
  const next = parseInTurn(large, () => 'parsed');
  await expect(refused).rejects.toThrow('cut off');
  await vi.advanceTimersByTimeAsync(1);
  expect(await next).toBe('parsed');
});
