import { describe, expect, it } from 'vitest';
import { createSingleFlight } from '../src/reading/booking-reader.ts';

const never = new AbortController().signal;

describe('concurrent reads of one booking', () => {
  it('share one piece of work, and the next read starts another', async () => {
    const flights = createSingleFlight<number>();
    let started = 0;
    const work = async () => {
      started += 1;
      return started;
    };
    const together = Array.from({ length: 5 }, () => flights.run('a', never, work));
    expect(await Promise.all(together)).toEqual([1, 1, 1, 1, 1]);
    expect(await flights.run('a', never, work)).toBe(2);
    expect(await flights.run('b', never, work)).toBe(3);
  });

  it('all get the rejection, and it is not kept', async () => {
    const flights = createSingleFlight<number>();
    const failing = () => Promise.reject(new Error('down'));
    const results = await Promise.allSettled([
      flights.run('a', never, failing),
      flights.run('a', never, failing),
    ]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
    expect(await flights.run('a', never, async () => 1)).toBe(1);
  });

  it('a caller that aborts does not abort the others', async () => {
    const flights = createSingleFlight<string>();
    const { promise, resolve } = Promise.withResolvers<string>();
    const leaving = new AbortController();
    let workSignal: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      workSignal = signal;
      return promise;
    };
    const first = flights.run('a', leaving.signal, work);
    const second = flights.run('a', never, work);
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(workSignal?.aborted).toBe(false);
    resolve('here');
    expect(await second).toBe('here');
  });

  it('is aborted when the last caller has left, and a later caller starts over', async () => {
    const flights = createSingleFlight<string>();
    const leaving = new AbortController();
    let workSignal: AbortSignal | undefined;
    const first = flights.run('a', leaving.signal, (signal) => {
      workSignal = signal;
      return new Promise(() => undefined);
    });
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(workSignal?.aborted).toBe(true);
    expect(await flights.run('a', never, async () => 'fresh')).toBe('fresh');
  });

  it('does not start work for an aborted caller', async () => {
    const flights = createSingleFlight<string>();
    await expect(
      flights.run('a', AbortSignal.abort(new Error('gone')), () => Promise.reject(new Error('started'))),
    ).rejects.toThrow('gone');
  });
});
