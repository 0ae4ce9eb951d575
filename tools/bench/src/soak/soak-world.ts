import { openStore } from '@waiver-service/store';
import type { Ground } from '../harness/ground.ts';
import type { OpenedPool } from '../subjects/booking-client.ts';
import { encryptionKeys } from '../subjects/secrets.ts';

/** Pools with a webhook and a booking system each. */
export interface SoakWorld {
  readonly databaseUrl: string;
  readonly pools: readonly OpenedPool[];
  /** The address of the webhook of the pool that {@link brokenPool} names. */
  readonly breakable: string;
}

const poolCount = 100;
const bookingSystem = 'standard';

/** The pool whose webhook fails for some time. */
export const brokenPool = 'pool-1';

/** The pools' retention in days, the minimum. Visits are backdated by it, less the run's own retention. */
export const retentionDays = 1;

/** Fills a new database with 100 pools. All booking systems share one address; each webhook has its own. */
export async function createSoakWorld(ground: Ground): Promise<SoakWorld> {
  const { origins } = await ground.receivers();
  const { url: databaseUrl } = await ground.database();
  const store = await openStore({ databaseUrl, encryptionKeys });
  try {
    await store.bookingSystems.put(bookingSystem, { baseUrl: origins[0] ?? '' });
    const pools: OpenedPool[] = [];
    for (let index = 0; index < poolCount; index += 1) {
      const id = `pool-${index}`;
      await store.pools.put({ id, name: id, retentionWaiversDays: retentionDays });
      await store.webhooks.create(id, {
        url: `${origins[index]}/webhook`,
        auth: { type: 'header', name: 'X-Soak-Secret', value: `secret-of-${id}` },
        properties: [],
        signing: true,
      });
      await store.installations.install({
        bookingSystem,
        pool: id,
        accountId: index,
        apiKey: `api-key-of-${id}`,
        information: {},
        writeUnit: 'waiver',
        guestId: 'booking-guest-id',
        takesGuestUpdates: true,
        keyOverlapMs: 0,
        madeBy: 'operator',
      });
      pools.push({ id, token: (await store.accessTokens.create(id)).token });
    }
    return { databaseUrl, pools, breakable: origins[1] ?? '' };
  } finally {
    await store.close();
  }
}
