import type { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createEventStreams, maxStreams, maxStreamsOfPerson } from '../../src/live-events/event-streams.ts';

const reader = { actor: 'credential:c1', credential: null, session: undefined, pools: undefined };

/** Streams of changes that the test makes, of a store that has all sessions but those it names. */
function openStreams() {
  let onChange: (pools: readonly string[] | undefined) => void = () => {};
  let onAccessEnded: () => void = () => {};
  const checkedSecrets: string[][] = [];
  const ended = new Set<string>();
  const streams = createEventStreams({
    store: {
      liveEvents: {
        watch(listener) {
          onChange = listener;
          return () => {};
        },
        onAccessEnded(listener) {
          onAccessEnded = listener;
          return () => {};
        },
      },
      personSessions: {
        async stillOpen(secrets) {
          checkedSecrets.push([...secrets]);
          return new Set(secrets.filter((secret) => !ended.has(secret)));
        },
      },
      credentials: { stillValid: async (ids) => new Set(ids) },
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  return {
    streams,
    checkedSecrets,
    ended,
    change: (...pools: string[]) => onChange(pools),
    changeAny: () => onChange(undefined),
    endAccess: () => onAccessEnded(),
  };
}

const textOf = (body: Readable) => String(body.read() ?? '');
const resync = 'event: resync\ndata: {}\n\n';
const changeOf = (pool: string) => `event: change\ndata: {"pool":"${pool}"}\n\n`;

test('a stream begins with a full read, then gets only events of its pools', () => {
  const { streams, change } = openStreams();
  const all = streams.open(reader);
  const own = streams.open({ ...reader, pools: ['mine'] });
  expect([textOf(all), textOf(own)]).toEqual([resync, resync]);
  change('mine', 'theirs');
  expect(textOf(all)).toBe(changeOf('mine') + changeOf('theirs'));
  expect(textOf(own)).toBe(changeOf('mine'));
});

test('a change is announced at once, and a pool at most once a second', () => {
  vi.useFakeTimers();
  const { streams, change, changeAny } = openStreams();
  const body = streams.open(reader);
  textOf(body);
  for (let times = 0; times < 5; times += 1) change('mine');
  expect(textOf(body)).toBe(changeOf('mine'));
  vi.advanceTimersByTime(900);
  change('theirs');
  expect(textOf(body)).toBe('');
  vi.advanceTimersByTime(100);
  expect(textOf(body)).toBe(changeOf('mine') + changeOf('theirs'));
  vi.advanceTimersByTime(14_000);
  expect(textOf(body)).toBe(': \n\n');
  changeAny();
  expect(textOf(body)).toBe(resync);
  vi.useRealTimers();
});

test('with more than a hundred changed pools, a stream of all reads everything, others get their events', () => {
  const { streams, change } = openStreams();
  const all = streams.open(reader);
  const own = streams.open({ ...reader, pools: ['pool-7'] });
  expect([textOf(all), textOf(own)]).toEqual([resync, resync]);
  change(...Array.from({ length: 101 }, (_, place) => `pool-${place}`));
  expect([textOf(all), textOf(own)]).toEqual([resync, changeOf('pool-7')]);
});

test('a slow reader is dropped, before it takes more than its part of the memory', async () => {
  vi.useFakeTimers();
  const { streams, change } = openStreams();
  const slow = streams.open(reader);
  const fast = streams.open(reader);
  fast.resume();
  const dropped = new Promise<void>((resolve) => slow.on('close', () => resolve()));
  const many = Array.from({ length: 100 }, (_, place) => `pool-${place}`.padEnd(128));
  for (let round = 0; round < 100 && !slow.destroyed; round += 1) {
    change(...many);
    expect(slow.readableLength).toBeLessThanOrEqual(128 * 1024);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  vi.useRealTimers();
  await dropped;
  expect(fast.destroyed).toBe(false);
});

test('whose access has ended is checkedSecrets in one statement for all', async () => {
  const { streams, checkedSecrets, ended, endAccess } = openStreams();
  const bodies = Array.from({ length: 50 }, (_, place) => streams.open({ ...reader, session: `s${place}` }));
  await expect.poll(() => checkedSecrets.at(-1)).toHaveLength(50);
  // Not one for each stream.
  expect(checkedSecrets).toHaveLength(2);
  checkedSecrets.length = 0;
  ended.add('s7');
  endAccess();
  const left = bodies[7];
  left?.resume();
  await expect.poll(() => left?.readableEnded).toBe(true);
  expect(checkedSecrets).toHaveLength(1);
  expect(bodies.filter(({ readableEnded }) => readableEnded)).toHaveLength(1);
});

test('there is a limit to the streams of a host', () => {
  const { streams } = openStreams();
  for (let place = 0; place < maxStreams; place += 1)
    streams.open({ ...reader, actor: `credential:c${place % 10}`, session: `s${place}` });
  expect(() => streams.open({ ...reader, session: 'one more' })).toThrow(
    expect.objectContaining({ status: 503, code: 'too_many_streams' }),
  );
});

test('one person cannot take the streams of a host from the others, however many sessions they open', () => {
  const { streams } = openStreams();
  for (let place = 0; place < maxStreamsOfPerson; place += 1)
    streams.open({ ...reader, session: place % 2 === 0 ? `s${place}` : undefined });
  for (const session of ['one more', undefined]) {
    expect(() => streams.open({ ...reader, session })).toThrow(
      expect.objectContaining({ status: 429, code: 'too_many_streams' }),
    );
  }
  streams.open({ ...reader, actor: 'credential:c2' });
});
