import { randomUUID } from 'node:crypto';
import type { NewWaiver } from '@waiver-service/waivers';
import type {
  ClaimedDelivery,
  DeliveryDecision,
  EncryptionKey,
  RequestLimit,
  Store,
} from '../../src/index.ts';
import { openTestStore } from './open-test-store.ts';

export const schedule = [0, 5_000, 300_000, 1_800_000];
export const leaseMs = 30_000;

/** A store with a pool `p1`, where `standard` is installed and one webhook listens, unless told otherwise. */
export async function openOutbox(
  options: {
    writeUnit?: 'waiver' | 'booking';
    installed?: boolean;
    webhook?: boolean;
    keys?: readonly EncryptionKey[];
  } = {},
) {
  const { writeUnit = 'waiver', installed = true, webhook = true, keys } = options;
  const opened = await openTestStore(keys === undefined ? {} : { keys });
  const { store } = opened;
  await store.pools.put({ id: 'p1', name: 'Pool 1' });
  if (installed) await install(store, { writeUnit });
  const endpoint = webhook
    ? await store.webhooks.create('p1', {
        url: 'https://receiver.example/hook',
        auth: { type: 'none' },
        properties: ['name'],
        signing: false,
      })
    : undefined;
  return { ...opened, endpoint };
}

export function install(
  store: Store,
  options: {
    bookingSystem?: string;
    accountId?: string;
    writeUnit?: 'waiver' | 'booking';
    takesGuestUpdates?: boolean;
    guestId?: 'booking-guest-id' | 'waiver-id' | 'none';
    requestLimit?: RequestLimit;
  } = {},
) {
  const { bookingSystem = 'standard', accountId = 'a1' } = options;
  const { writeUnit = 'waiver', takesGuestUpdates = true, guestId = 'booking-guest-id' } = options;
  return store.installations.install({
    bookingSystem,
    pool: 'p1',
    accountId,
    apiKey: 'partner-key',
    information: {},
    writeUnit,
    takesGuestUpdates,
    guestId,
    requestLimit: options.requestLimit,
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

/** Claims everything that is due, or so much of it, as a dispatcher with as many slots would. */
export async function claimAll(store: Store, most = 1_000): Promise<ClaimedDelivery[]> {
  const { work } = await store.outbox.findWork('');
  const shares = work.map(({ destination }) => ({ destination, slots: 100 }));
  const fresh = await store.outbox.claim({ shares, limit: most, retrying: false, leaseMs });
  const retrying = await store.outbox.claim({ shares, limit: most - fresh.length, retrying: true, leaseMs });
  return [...fresh, ...retrying];
}

/** Ends a try. `inDoubt`: null where nothing was sent. */
export function finish(
  store: Store,
  claimed: ClaimedDelivery,
  decision: DeliveryDecision,
  inDoubt: boolean | null = false,
) {
  const outcome = decision.kind === 'delivered' ? 'accepted' : inDoubt ? 'in-doubt' : 'refused';
  return store.outbox.finish([
    {
      ...claimed,
      decision,
      inDoubt: inDoubt ?? undefined,
      attempt: {
        at: new Date(),
        durationMs: 5,
        outcome: decision.kind === 'release' ? 'own-fault' : outcome,
        trigger: claimed.trigger,
      },
    },
  ]);
}

export const deliver = (store: Store, claimed: ClaimedDelivery) =>
  finish(store, claimed, { kind: 'delivered' });
export const refuse = (store: Store, claimed: ClaimedDelivery, waitMs = 0) =>
  finish(store, claimed, { kind: 'retry', waitMs, usesTry: true });
export const lose = (store: Store, claimed: ClaimedDelivery, waitMs = 0) =>
  finish(store, claimed, { kind: 'retry', waitMs, usesTry: true }, true);

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
