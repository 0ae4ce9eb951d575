import type { Readable } from 'node:stream';
import type { LiveChange, LiveListener } from '@waiver-service/store';
import { expect, test, vi } from 'vitest';
import { createEventStreams, maxStreams } from '../../src/live-events/event-streams.ts';

const reader = { credential: null, session: undefined, pools: undefined };

/** Streams whose events the test makes, of a store that has all sessions but those it names. */
function openStreams() {
  let listener: LiveListener | undefined;
  const asked: string[][] = [];
  const ended = new Set<string>();
  const watched = { times: 0 };
  const streams = createEventStreams({
    store: {
      liveEvents: {
        watch(added) {
          watched.times += 1;
          listener = added;
          return {
            close() {
              listener = undefined;
            },
          };
        },
      },
      personSessions: {
        async stillOpen(secrets) {
          asked.push([...secrets]);
          return new Set(secrets.filter((secret) => !ended.has(secret)));
        },
      },
      credentials: { stillValid: async (ids) => new Set(ids) },
    },
    describe: {
      deliveries: (items) => items,
      destinations: (items) => items,
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  return { streams, asked, ended, watched, listener: () => listener };
}

const delivery = (id: string, pool = 'p') => ({
  id,
  pool,
  kind: 'guest-webhook' as const,
  state: 'waiting' as const,
  destination: 'd',
  bookingSystem: null,
  webhook: null,
  waiverId: 'w',
  version: 1,
  createdAt: new Date(0),
});

const change = (...deliveries: LiveChange['deliveries']): LiveChange => ({ deliveries, destinations: [] });
const textOf = (body: Readable) => String(body.read() ?? '');

test('all streams watch as one, and nobody watches where there is none', async () => {
  const { streams, watched, listener } = openStreams();
  const bodies = [1, 2, 3].map((place) => streams.open({ ...reader, session: `s${place}` }));
  expect(watched.times).toBe(1);
  for (const body of bodies) expect(textOf(body)).toContain('event: resync');
  listener()?.onChange(change(delivery('d1')));
  for (const body of bodies) expect(textOf(body)).toContain('"id":"d1"');
  for (const body of bodies) body.destroy();
  await expect.poll(listener).toBeUndefined();
});

test('nothing is written to a stream that shows none of it', () => {
  const { streams, listener } = openStreams();
  const body = streams.open({ ...reader, pools: ['other'] });
  textOf(body);
  listener()?.onChange(change(delivery('d1')));
  expect(textOf(body)).toBe('');
  listener()?.onChange(change(delivery('d1'), delivery('d2', 'other')));
  expect(textOf(body)).toMatch(/^event: deliveries\ndata: \{"items":\[\{"id":"d2"[^\n]*\n\n$/);
});

test('a slow reader is dropped, before it takes more than its part of the memory', async () => {
  const { streams, listener } = openStreams();
  const slow = streams.open(reader);
  const fast = streams.open(reader);
  let received = 0;
  fast.on('data', (bytes: Buffer) => {
    received += bytes.length;
  });
  const dropped = new Promise<void>((resolve) => slow.on('close', () => resolve()));
  const many = Array.from({ length: 100 }, (_, place) => delivery(`d${place}`.padEnd(200)));
  for (let round = 0; round < 100 && !slow.destroyed; round += 1) {
    listener()?.onChange(change(...many));
    expect(slow.readableLength).toBeLessThanOrEqual(256 * 1024);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await dropped;
  listener()?.onChange(change(delivery('last')));
  await expect.poll(() => received).toBeGreaterThan(256 * 1024);
  expect(fast.destroyed).toBe(false);
});

test('of gaps that follow each other, the first is told at once and the others later, once', () => {
  vi.useFakeTimers();
  const { streams, listener } = openStreams();
  const body = streams.open(reader);
  textOf(body);
  for (let times = 0; times < 5; times += 1) listener()?.onGap();
  expect(textOf(body)).toBe('event: resync\ndata: {}\n\n');
  vi.advanceTimersByTime(1_900);
  expect(textOf(body)).toBe('');
  // Readers may have read what they show before the last of them.
  vi.advanceTimersByTime(100);
  expect(textOf(body)).toBe('event: resync\ndata: {}\n\n');
  vi.advanceTimersByTime(13_000);
  expect(textOf(body)).toBe(': \n\n');
  listener()?.onGap();
  expect(textOf(body)).toBe('event: resync\ndata: {}\n\n');
  vi.useRealTimers();
});

test('whose access has ended is asked in one statement for all', async () => {
  const { streams, asked, ended, listener } = openStreams();
  const bodies = Array.from({ length: 50 }, (_, place) => streams.open({ ...reader, session: `s${place}` }));
  await expect.poll(() => asked.at(-1)).toHaveLength(50);
  asked.length = 0;
  ended.add('s7');
  for (let times = 0; times < 10; times += 1) listener()?.onAccessEnded();
  const [, , , , , , , left] = bodies;
  left?.resume();
  await expect.poll(() => left?.readableEnded).toBe(true);
  expect(asked.length).toBeLessThanOrEqual(2);
  expect(bodies.filter(({ readableEnded }) => readableEnded)).toHaveLength(1);
});

test('there is a limit to the streams of a host', () => {
  const { streams } = openStreams();
  for (let place = 0; place < maxStreams; place += 1) streams.open({ ...reader, session: `s${place}` });
  expect(() => streams.open({ ...reader, session: 'one more' })).toThrow(
    expect.objectContaining({ status: 503, code: 'too_many_streams' }),
  );
});
