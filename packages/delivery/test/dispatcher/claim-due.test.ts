import type { ClaimRequest, DestinationShare, DestinationWork } from '@waiver-service/outbox';
import { expect, test } from 'vitest';
import { createClaimDue } from '../../src/dispatcher/claim-due.ts';
import { createInFlight, type InFlightMessage } from '../../src/dispatcher/in-flight.ts';
import { claimed, queued, work } from '../setup/in-flight-message.ts';

/** A claim function with 4 slots, 2 ahead and 3 per destination by default, over an outbox that has this work. */
function openClaimer(
  found: readonly DestinationWork[],
  held: readonly InFlightMessage[] = [],
  { concurrency = 4, ahead = 2 } = {},
) {
  const inFlight = createInFlight(concurrency);
  for (const entry of held) inFlight.add(entry);
  for (const entry of held) if (entry.state === 'sending') inFlight.begin(entry);
  const claims: ClaimRequest[] = [];
  const asked: DestinationShare[][] = [];
  let probeLimit: number | undefined;
  const claimDue = createClaimDue({
    outbox: {
      findWork: async () => ({ work: [...found], after: '' }),
      takeFirstRequests: async (shares) => {
        asked.push([...shares]);
        return shares.map(({ destination }) => ({ destination, slots: 1, sendWithinMs: 500 }));
      },
      claim: async (request) => {
        claims.push(request);
        return request.shares.map(({ destination }) => claimed({ destination }));
      },
      claimProbes: async ({ limit }) => {
        probeLimit = limit;
        return [];
      },
    },
    inFlight,
    callTimes: { isSlow: () => false },
    concurrency,
    ahead,
    destinationConcurrency: 3,
    probeIntervalMs: 3_600_000,
  });
  const claim = (isOwner = true) => claimDue({ dispatcher: 'd', epoch: 7 }, () => isOwner);
  return { claim, claims, asked, inFlight, probeLimit: () => probeLimit };
}

const waiting = (destination: string): InFlightMessage => queued({ destination });
const sending = (destination: string): InFlightMessage => ({ ...queued({ destination }), state: 'sending' });

test('a claim takes as many as there is room for: the slots and the claim-ahead, less those in flight', async () => {
  const { claim, claims } = openClaimer([work('d1')], [sending('d2'), waiting('d3')]);
  await claim();
  expect(claims.map(({ limit }) => limit)).toEqual([4]);
});

test('another claim follows at once only where this one took all that there was room for', async () => {
  const some = ['d1', 'd2'].map((destination) => work(destination));
  const many = [...some, ...['d3', 'd4', 'd5', 'd6'].map((destination) => work(destination))];
  expect(await openClaimer(some).claim()).toMatchObject({ mayClaimMore: false });
  expect(await openClaimer(many).claim()).toMatchObject({ mayClaimMore: true });
});

test('without room, nothing is claimed or searched', async () => {
  const full = Array.from({ length: 6 }, (_, place) => waiting(`d${place}`));
  const { claim, claims } = openClaimer([work('free')], full);
  expect(await claim()).toEqual({ mayClaimMore: false, left: true, fullPools: new Set() });
  expect(claims).toEqual([]);
});

test('while quick sends make room, no claim is made for little of it', async () => {
  const slots = { concurrency: 64, ahead: 512 };
  const queue = Array.from({ length: 512 }, (_, place) => waiting(`d${place}`));
  const quick = openClaimer([work('free')], [sending('d1'), ...queue], slots);
  expect(await quick.claim()).toMatchObject({ mayClaimMore: false, left: true });
  expect(quick.claims).toEqual([]);
  const slow = openClaimer([work('free')], [{ ...sending('d1'), isSlow: true }, ...queue], slots);
  await slow.claim();
  expect(slow.claims).toMatchObject([{ limit: 63 }]);
});

test('a destination gets its own free slots; one without any is omitted', async () => {
  const { claim, claims } = openClaimer(
    [work('d1'), work('d2')],
    [sending('d1'), sending('d2'), sending('d2'), waiting('d2')],
  );
  await claim();
  expect(claims.map(({ shares }) => shares)).toEqual([[{ destination: 'd1', slots: 2, busyLanes: [1] }]]);
});

test('messages of a destination without a free slot are not looked for again until a send of its pool ends', async () => {
  const dead = [sending('dead'), sending('dead'), sending('dead')];
  const { claim } = openClaimer([work('dead', { pool: 'p-dead' })], dead);
  expect(await claim()).toEqual({ mayClaimMore: false, left: false, fullPools: new Set(['p-dead']) });
});

test('retries and probes use at most three of four slots, however much room there is', async () => {
  const { claim, claims, probeLimit } = openClaimer(
    [work('d1', { fresh: false, retrying: true })],
    [{ ...sending('d2'), isRetry: true }],
  );
  await claim();
  expect(probeLimit()).toBe(2);
  expect(claims).toMatchObject([{ retrying: true, limit: 2 }]);
});

test('requests are reserved first at limited destinations, and must begin within their time', async () => {
  const { claim, claims, asked, inFlight } = openClaimer([work('open'), work('limited', { limited: true })]);
  const before = performance.now();
  await claim();
  expect(asked).toEqual([[{ destination: 'limited', slots: 3, busyLanes: [] }]]);
  expect(claims[0]?.shares).toEqual([
    expect.objectContaining({ destination: 'limited', slots: 1 }),
    { destination: 'open', slots: 3, busyLanes: [] },
  ]);
  const [limited, open] = inFlight.all('queued');
  expect(limited?.beginBy).toBeGreaterThanOrEqual(before + 500);
  expect(limited?.beginBy).toBeLessThanOrEqual(performance.now() + 500);
  expect(open?.beginBy).toBe(Number.POSITIVE_INFINITY);
});

test('messages claimed after a takeover are not sent', async () => {
  const { claim, claims, inFlight } = openClaimer([work('d1')]);
  expect(await claim(false)).toMatchObject({ mayClaimMore: false });
  expect(claims).toMatchObject([{ dispatcher: 'd', epoch: 7 }]);
  expect(inFlight.size).toBe(0);
});
