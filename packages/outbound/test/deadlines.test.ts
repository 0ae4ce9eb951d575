import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadlines } from '../src/transport/deadlines.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const deadlines = new Deadlines();
  const expired: string[] = [];
  const begin = (name: string, inMs: number) => {
    const one = { deadlineAt: performance.now() + inMs, place: -1, expire: () => expired.push(name) };
    deadlines.add(one);
    return { end: () => deadlines.delete(one) };
  };
  return { expired, begin };
}

test('each ends at its own time, in whichever order they were begun', () => {
  const { expired, begin } = start();
  const { end } = begin('long', 10_000);
  const calls = new Map([300, 100, 200].map((inMs) => [String(inMs), begin(String(inMs), inMs)]));
  for (const time of ['100', '200', '300']) {
    vi.advanceTimersByTime(99);
    expect(expired).not.toContain(time);
    vi.advanceTimersByTime(1);
    expect(expired).toContain(time);
    calls.get(time)?.end();
  }
  end();
  vi.advanceTimersByTime(20_000);
  expect(expired).toEqual(['100', '200', '300']);
});

test('there is one timer, however many are pending', () => {
  const { begin } = start();
  for (let call = 0; call < 100; call += 1) begin('one', 10_000 + call).end();
  expect(vi.getTimerCount()).toBe(1);
});
