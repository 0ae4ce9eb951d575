import { features } from '@waiver-service/host/features';
import { openStore, type Store } from '@waiver-service/store';
import type { Ground } from '../harness/ground.ts';
import { runInFlight } from '../harness/measuring.ts';
import { encryptionKeys } from './host.ts';

export type DestinationKind = 'guest-update' | 'guest-webhook';

/** Pools with waivers, each pool with its own destination. */
interface WaiverWorld {
  readonly databaseUrl: string;
  readonly store: Store;
  /** The number of waivers over all pools. */
  readonly waivers: number;
  poolOf(index: number): string;
  idOf(index: number): string;
  /** Stores a step of the waiver with this index, which sends one message. */
  update(index: number): Promise<void>;
}

const poolCount = 100;
const bookingSystem = 'standard';
const atOnce = 16;
const steps = ['page-1', 'page-2'];

async function addDestination(
  store: Store,
  pool: string,
  index: number,
  kind: DestinationKind,
  origins: readonly string[],
) {
  if (kind === 'guest-webhook') {
    const auth = { type: 'header', name: 'X-Bench-Secret', value: `secret-of-${pool}` } as const;
    await store.webhooks.create(pool, {
      url: `${origins[index % origins.length]}/webhook`,
      auth,
      properties: [],
      signing: false,
    });
  }
  if (kind === 'guest-update') {
    await store.installations.install({
      bookingSystem,
      pool,
      accountId: index,
      apiKey: `api-key-of-${pool}`,
      information: {},
      writeUnit: 'waiver',
      guestId: 'booking-guest-id',
      takesGuestUpdates: true,
      keyOverlapMs: 0,
      madeBy: 'operator',
    });
  }
}

/**
 * Fills a new database with 100 pools and their waivers. No message has been sent or is waiting. Webhooks go to the
 * receivers' addresses in turn, all Guest Updates to the first.
 */
export async function createWaiverWorld(
  ground: Ground,
  { kind, waivers }: { readonly kind: DestinationKind; readonly waivers: number },
): Promise<WaiverWorld> {
  const { origins } = await ground.receivers();
  const { url: databaseUrl } = await ground.database();
  const store = await openStore({ databaseUrl, encryptionKeys, features });
  ground.defer(() => store.close());
  const pools = Array.from({ length: poolCount }, (_, index) => `pool-${index}`);
  const poolOf = (index: number) => `pool-${index % poolCount}`;
  const idOf = (index: number) => `waiver-${index}`;
  for (const pool of pools) await store.pools.put({ id: pool, name: pool });
  await runInFlight(waivers, atOnce, (index) =>
    store.waivers.create({
      id: idOf(index),
      pool: poolOf(index),
      bookingSystem,
      bookingId: `booking-${index}`,
      bookingGuestId: `guest-${index}`,
      activities: ['activity-1'],
      lastVisit: new Date('2026-07-01T09:00:00Z'),
      currentPage: 'page-0',
      answers: { name: `Guest ${index}`, email: `guest.${index}@example.com`, howHeard: 'a friend' },
    }),
  );
  // Only now, so that creating the waivers sends nothing.
  await store.bookingSystems.put(bookingSystem, { baseUrl: origins[0] ?? '' });
  for (const [index, pool] of pools.entries()) await addDestination(store, pool, index, kind, origins);
  let step = 0;
  return {
    databaseUrl,
    store,
    waivers,
    poolOf,
    idOf,
    async update(index) {
      step += 1;
      const currentPage = steps[step % steps.length] ?? null;
      const { outcome } = await store.waivers.update(poolOf(index), idOf(index), { currentPage });
      if (outcome !== 'updated') throw new Error(`waiver ${index}: ${outcome}`);
    },
  };
}
