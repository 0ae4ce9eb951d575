import { describe, expect, it } from 'vitest';
import { withDeadline } from '../src/reading/booking-sources.ts';

const never = new AbortController().signal;

describe('a time limit', () => {
  it('ends work that does not look at its signal', async () => {
    await expect(withDeadline(20, never, () => new Promise(() => undefined))).rejects.toMatchObject({
      code: 'booking_system_timeout',
      outboundErrorCode: 'timeout',
    });
  });

  it('tells the work', async () => {
    const aborted = Promise.withResolvers<void>();
    const work = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => aborted.resolve());
      return new Promise<never>(() => undefined);
    };
    await expect(withDeadline(20, never, work)).rejects.toThrow('0.02 seconds');
    await aborted.promise;
  });

  it('resolves and rejects as the work does', async () => {
    expect(await withDeadline(10_000, never, async () => 7)).toBe(7);
    await expect(withDeadline(10_000, never, () => Promise.reject(new Error('own')))).rejects.toThrow('own');
  });

  it('passes on that the caller has gone', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(withDeadline(10_000, gone, () => new Promise(() => undefined))).rejects.toThrow('gone');
  });
});
