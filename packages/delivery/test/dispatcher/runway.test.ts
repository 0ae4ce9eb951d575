import type { ClaimedDelivery } from '@waiver-service/store';
import { expect, test, vi } from 'vitest';
import { createFlights, type Flight } from '../../src/dispatcher/flights.ts';
import { createRunway } from '../../src/dispatcher/runway.ts';
import type { Sender } from '../../src/index.ts';
import { flightOf } from '../setup/flight.ts';

const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 2 });
type Answer = Awaited<ReturnType<Sender>>;
const accepted: Answer = { outcome: 'accepted', status: 200, durationMs: 1 };
const nothingWritten: Answer = { outcome: 'nothing-written', durationMs: 1 };
const refused: Answer = { outcome: 'refused', status: 500, retry: 'schedule', durationMs: 1 };

/** A runway with one slot over flights that were claimed in this order; a test answers what it sends. */
function openRunway(waiting: readonly Flight[], { hasMore = false } = {}) {
  const flights = createFlights(1);
  for (const flight of waiting) flights.add(flight);
  const sent: string[] = [];
  const givenBack: string[] = [];
  const due: number[] = [];
  let answer: (result: Answer) => void = () => {};
  const send: Sender = ({ id }) => {
    sent.push(id);
    const { promise, resolve } = Promise.withResolvers<Answer>();
    answer = resolve;
    return promise;
  };
  const runway = createRunway({
    outbox: {
      giveBack: async (messages: readonly Pick<ClaimedDelivery, 'orderingKey'>[]) => {
        for (const { orderingKey } of messages) givenBack.push(orderingKey);
      },
    },
    flights,
    callTimes: { add: () => {} },
    withdrawn: { concerns: () => false },
    recorder: { record: async () => hasMore },
    senders: { guestUpdate: send, guestWebhook: send },
    policy: { retrySchedule: [0, 700, 700], pauseAfterMs: 1_000, probeIntervalMs: 1_000 },
    concurrency: 1,
    leaseMs: 15_000,
    leaseMarginMs: 2_000,
    onEvent: () => {},
    onSlotFree: () => {},
    onDue: (waitMs) => due.push(waitMs),
  });
  runway.launch();
  return { flights, sent, givenBack, due, answer: (result: Answer) => answer(result) };
}

const flight = (id: string, destination: string) => flightOf({ id, destination, orderingKey: id });

test('what waits for a destination that just failed is given back; what waits for another one is sent', async () => {
  const { sent, givenBack, answer } = openRunway([
    flight('failing', 't1'),
    flight('behind it', 't1'),
    flight('elsewhere', 't2'),
  ]);
  answer(refused);
  await until(() => expect(sent).toEqual(['failing', 'elsewhere']));
  expect(givenBack).toEqual(['behind it']);
});

test.each([accepted, nothingWritten])(
  'what waits for a destination stays in line when a try there was $outcome',
  async (result) => {
    const { sent, givenBack, answer } = openRunway([flight('first', 't1'), flight('behind it', 't1')]);
    answer(result);
    await until(() => expect(sent).toEqual(['first', 'behind it']));
    expect(givenBack).toEqual([]);
  },
);

test('what was granted for a time that is over is given back, and what waits behind it is sent', async () => {
  const granted = { ...flight('granted', 't1'), beginBy: performance.now() - 1 };
  const { sent, givenBack } = openRunway([granted, flight('behind it', 't2')]);
  expect(sent).toEqual(['behind it']);
  expect(givenBack).toEqual(['granted']);
});

test('what has waited for half its lease is given back: another process could soon hold it', async () => {
  const old = { ...flight('old', 't1'), leasedAt: performance.now() - 7_501 };
  const { sent, givenBack } = openRunway([old, flight('new', 't2')]);
  expect(sent).toEqual(['new']);
  expect(givenBack).toEqual(['old']);
});

test('a lane that has more to send is due at once, also after a failure', async () => {
  const { due, answer, flights } = openRunway([flight('a', 't1')], { hasMore: true });
  answer(refused);
  await until(() => expect(due).toEqual([0]));
  expect(flights.size).toBe(0);
});

test('what is to be tried again is due when its wait is over; what was delivered is not due', async () => {
  const failed = openRunway([flight('a', 't1')]);
  failed.answer(refused);
  await until(() => expect(failed.due).toHaveLength(1));
  const [waitMs = 0] = failed.due;
  expect(waitMs).toBeGreaterThanOrEqual(350);
  expect(waitMs).toBeLessThanOrEqual(1_050);
  const delivered = openRunway([flight('b', 't1')]);
  delivered.answer(accepted);
  await until(() => expect(delivered.flights.size).toBe(0));
  expect(delivered.due).toEqual([]);
});
