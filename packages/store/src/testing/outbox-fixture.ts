import { randomUUID } from 'node:crypto';
import type { FetchedBooking, RequestLimits } from '@waiver-service/core';
import type { ClaimedDelivery, DeliveryDecision, LossDecision } from '@waiver-service/outbox';
import type { NewWaiver } from '@waiver-service/waivers';
import type { Store } from '../store.ts';
import type { WebhookSettings } from '../webhooks/webhooks.ts';

/** A booking as a plugin returns it. */
export function fetchedBooking(change: Partial<FetchedBooking['booking']> = {}): FetchedBooking {
  return {
    form: 'current',
    booking: {
      id: 'b1',
      status: 'Active',
      contact: { name: 'Ann Booker' },
      pax: 2,
      guests: [{ id: 'g1', name: 'Ann' }],
      bookedSessions: [{ startsAt: '2026-05-01T09:30:00Z', activityId: 'raft', activityName: 'Rafting' }],
      ...change,
    },
    warnings: [{ code: 'null_as_absent', path: 'notes', message: 'notes is null' }],
  };
}

export const schedule = [0, 5_000, 300_000, 1_800_000];

/** A webhook that is sent no answers. */
export const webhookSettings: WebhookSettings = {
  url: 'https://receiver.example/hook',
  auth: { type: 'none' },
  properties: [],
  signing: false,
};

/** The contents that {@link furnishOutbox} gives a store. */
export interface FurnishedOutbox {
  readonly writeUnit?: 'waiver' | 'booking';
  readonly installed?: boolean;
  readonly webhook?: boolean;
}

/** A pool `p1`, where `standard` is installed and one webhook listens, unless told otherwise. @returns the webhook */
export async function furnishOutbox(
  store: Store,
  { writeUnit = 'waiver', installed = true, webhook = true }: FurnishedOutbox = {},
) {
  await store.pools.put({ id: 'p1', name: 'Pool 1' });
  if (installed) await install(store, { writeUnit });
  if (!webhook) return undefined;
  return store.webhooks.create('p1', { ...webhookSettings, properties: ['name'] });
}

export function install(
  store: Store,
  options: {
    pool?: string;
    bookingSystem?: string;
    accountId?: string;
    writeUnit?: 'waiver' | 'booking';
    takesGuestUpdates?: boolean;
    guestId?: 'booking-guest-id' | 'waiver-id' | 'none';
    requestLimits?: RequestLimits;
  } = {},
) {
  const { pool = 'p1', bookingSystem = 'standard', accountId = 'a1' } = options;
  const { writeUnit = 'waiver', takesGuestUpdates = true, guestId = 'booking-guest-id' } = options;
  return store.installations.install({
    bookingSystem,
    pool,
    accountId,
    apiKey: 'partner-key',
    information: {},
    writeUnit,
    takesGuestUpdates,
    guestId,
    requestLimits: options.requestLimits,
    keyOverlapMs: 0,
    madeBy: 'operator',
  });
}

export const waiver = (given: Partial<NewWaiver> = {}): NewWaiver => ({
  id: randomUUID(),
  pool: 'p1',
  bookingSystem: 'standard',
  bookingId: 'b1',
  bookingGuestId: 'g1',
  activities: [],
  currentPage: null,
  answers: { name: 'Ann' },
  ...given,
});

/** A dispatcher as the tests have it: its claimed messages that have not ended. */
export interface Worker {
  dispatcher: string;
  epoch: number;
  readonly inFlight: Set<ClaimedDelivery>;
}

const hourMs = 3_600_000;

const decideLoss = (lostBefore: number): LossDecision =>
  lostBefore + 1 >= schedule.length ? { kind: 'dead' } : { kind: 'retry', waitMs: schedule[lostBefore] ?? 0 };

export async function startWorker(store: Store): Promise<Worker> {
  const dispatcher = await store.outbox.registerDispatcher(hourMs);
  await store.outbox.balanceShards(dispatcher, []);
  return { dispatcher, epoch: 0, inFlight: new Set() };
}

const workers = new WeakMap<Store, Promise<Worker>>();

/** The worker of a store where the test has no other. */
export function workerOf(store: Store): Promise<Worker> {
  const known = workers.get(store) ?? startWorker(store);
  workers.set(store, known);
  return known;
}

export const busyLanes = ({ inFlight }: Worker): Map<string, number[]> =>
  new Map(
    [...Map.groupBy(inFlight, ({ destination }) => destination)].map(([destination, claimed]) => [
      destination,
      claimed.map(({ lane }) => lane),
    ]),
  );

/** How much of each destination; the worker's busy lanes are added. */
export type Shares = readonly { readonly destination: string; readonly slots: number }[];

export async function findWork(store: Store, worker?: Worker) {
  const { dispatcher, ...own } = worker ?? (await workerOf(store));
  return store.outbox.findWork({ dispatcher, after: '', busyLanes: busyLanes({ dispatcher, ...own }) });
}

/** Claims of given destinations. */
export async function claimShares(
  store: Store,
  shares: Shares,
  { limit = 1_000, retrying = false, worker }: { limit?: number; retrying?: boolean; worker?: Worker } = {},
): Promise<ClaimedDelivery[]> {
  const own = worker ?? (await workerOf(store));
  const busy = busyLanes(own);
  const claimed = await store.outbox.claim({
    dispatcher: own.dispatcher,
    epoch: own.epoch,
    shares: shares.map((share) => ({ ...share, busyLanes: busy.get(share.destination) ?? [] })),
    limit,
    retrying,
  });
  for (const each of claimed) own.inFlight.add(each);
  return claimed;
}

/** Claims the probes that are due. */
export async function claimProbes(store: Store, probeIntervalMs: number): Promise<ClaimedDelivery[]> {
  const worker = await workerOf(store);
  const { dispatcher, epoch } = worker;
  const busy = [...busyLanes(worker).values()].flat();
  const claimed = await store.outbox.claimProbes({
    dispatcher,
    epoch,
    limit: 10,
    probeIntervalMs,
    busyLanes: busy,
  });
  for (const each of claimed) worker.inFlight.add(each);
  return claimed;
}

/** Claims everything that is due, or so much of it, as a dispatcher with as many slots would. */
export async function claimAll(store: Store, most = 1_000, worker?: Worker): Promise<ClaimedDelivery[]> {
  const { work } = await findWork(store, worker);
  const shares = work.map(({ destination }) => ({ destination, slots: 100 }));
  const by = worker === undefined ? {} : { worker };
  const fresh = await claimShares(store, shares, { ...by, limit: most });
  const retrying = await claimShares(store, shares, { ...by, limit: most - fresh.length, retrying: true });
  return [...fresh, ...retrying];
}

/** Gives back unbegun messages. */
export async function returnClaims(store: Store, claimed: ClaimedDelivery, worker?: Worker): Promise<void> {
  const own = worker ?? (await workerOf(store));
  await store.outbox.returnClaims(own.dispatcher, [claimed]);
  own.inFlight.delete(claimed);
}

/** The worker is gone: another one takes over. @returns how many messages are in doubt */
export async function loseWorker(store: Store, worker?: Worker): Promise<number> {
  const own = worker ?? (await workerOf(store));
  if (worker === undefined) workers.delete(store);
  await store.outbox.expireLease(own.dispatcher);
  own.inFlight.clear();
  return store.outbox.takeOver(decideLoss);
}

/** Ends an attempt. `inDoubt`: null where nothing was sent. @returns the recorded deliveries */
export async function finish(
  store: Store,
  claimed: ClaimedDelivery,
  decision: DeliveryDecision,
  inDoubt: boolean | null = false,
  worker?: Worker,
): Promise<ReadonlySet<string>> {
  const own = worker ?? (await workerOf(store));
  const outcome = decision.kind === 'delivered' ? 'accepted' : inDoubt ? 'in-doubt' : 'refused';
  const recorded = await store.outbox.record(own.dispatcher, [
    {
      ...claimed,
      decision,
      inDoubt: inDoubt ?? undefined,
      attempt: {
        at: new Date(),
        durationMs: 5,
        outcome: decision.kind === 'release' ? 'own-fault' : outcome,
        trigger: claimed.trigger,
        ...(inDoubt ? { errorCode: 'timeout' } : {}),
      },
    },
  ]);
  own.inFlight.delete(claimed);
  return new Set(recorded.map(({ id }) => id));
}

export const deliver = (store: Store, claimed: ClaimedDelivery, worker?: Worker) =>
  finish(store, claimed, { kind: 'delivered' }, false, worker);
export const refuse = (store: Store, claimed: ClaimedDelivery, waitMs = 0, worker?: Worker) =>
  finish(store, claimed, { kind: 'retry', waitMs, usesAttempt: true }, false, worker);
export const lose = (store: Store, claimed: ClaimedDelivery, waitMs = 0, worker?: Worker) =>
  finish(store, claimed, { kind: 'retry', waitMs, usesAttempt: true }, true, worker);

/** Claims the one delivery that is due. */
export async function claimOne(store: Store): Promise<ClaimedDelivery> {
  const claimed = await claimAll(store);
  const [first] = claimed;
  if (first === undefined || claimed.length !== 1)
    throw new Error(`${claimed.length} deliveries are due, not one`);
  return first;
}

export const guestUpdate = (claimed: readonly ClaimedDelivery[]) => {
  const found = claimed.find(({ kind }) => kind === 'guest-update');
  if (found === undefined) throw new Error('no Guest Update was claimed');
  return found;
};

/** Deliveries with the state that is stored, for a `from`. */
export const storedDeliveries = `(
  select d.*, coalesce(e.state, case when p.id is null then 'delivered' else 'waiting' end) as state
  from delivery d left join pending p on p.id = d.id left join ended e on e.id = d.id) delivery`;
