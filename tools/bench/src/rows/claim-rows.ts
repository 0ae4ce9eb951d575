import { features } from '@waiver-service/host/features';
import { openWaitingLanes, type WaitingLanes } from '@waiver-service/outbox/testing';
import { openStore, type Store } from '@waiver-service/store';
import type { Ground } from '../harness/ground.ts';
import type { Measured, Row } from '../harness/row.ts';
import { percentile } from '../harness/statistics.ts';
import { encryptionKeys } from '../subjects/secrets.ts';

const destinations = 100;
const claimsPerRun = 40;
const limit = 250;
// The service's own DESTINATION_CONCURRENCY.
const slots = 8;
// No lease expires during a measurement.
const leaseMs = 3_600_000;

interface Backlog {
  readonly store: Store;
  readonly dispatcher: string;
  readonly lanes: WaitingLanes;
}

async function openBacklog(ground: Ground, lanesOfDestinations: readonly number[]): Promise<Backlog> {
  const { url: databaseUrl } = await ground.database();
  const lanes = openWaitingLanes(databaseUrl);
  ground.defer(() => lanes.close());
  const store = await openStore({ databaseUrl, encryptionKeys, features });
  ground.defer(() => store.close());
  await lanes.seed(lanesOfDestinations);
  const dispatcher = await store.outbox.registerDispatcher(leaseMs);
  await store.outbox.balanceShards(dispatcher, []);
  return { store, dispatcher, lanes };
}

async function claimAgainAndAgain({ store, dispatcher, lanes }: Backlog, claims: number): Promise<Measured> {
  const claimMs: number[] = [];
  const findMs: number[] = [];
  for (let claim = 0; claim < claims; claim += 1) {
    const startedAt = performance.now();
    const { work } = await store.outbox.findWork({ dispatcher, after: '', busyLanes: new Map() });
    const foundAt = performance.now();
    const shares = work.map(({ destination }) => ({ destination, slots, busyLanes: [] }));
    const claimed = await store.outbox.claim({ dispatcher, epoch: 0, shares, limit, retrying: false });
    claimMs.push(performance.now() - foundAt);
    findMs.push(foundAt - startedAt);
    if (claimed.length === 0) throw new Error('a claim found nothing');
    await lanes.returnClaims();
  }
  return {
    value: percentile(claimMs, 50),
    figures: [
      { name: 'p99', value: percentile(claimMs, 99), unit: 'ms' },
      { name: 'finding work p50', value: percentile(findMs, 50), unit: 'ms' },
    ],
  };
}

const evenly = (lanes: number) => Array.from({ length: destinations }, () => Math.ceil(lanes / destinations));

function claimRow(name: string, subject: string, lanesOf: (ground: Ground) => readonly number[]): Row {
  return {
    name,
    subject,
    base: '1,000 lanes',
    unit: 'ms',
    async prepare(ground) {
      const large = await openBacklog(ground, lanesOf(ground));
      const small = await openBacklog(ground, evenly(ground.size(1_000)));
      const claims = ground.size(claimsPerRun);
      return {
        subject: () => claimAgainAndAgain(large, claims),
        base: () => claimAgainAndAgain(small, claims),
      };
    },
  };
}

/** Claiming 250 messages from a backlog of a million lanes, against one of a thousand. */
export const claimRows: readonly Row[] = [
  claimRow('claim', '1,000,000 lanes', (ground) => evenly(ground.size(1_000_000))),
  claimRow('claim-dead-destination', '1,000,000 lanes, 900,000 of one dead destination', (ground) => [
    ground.size(900_000),
    ...evenly(ground.size(100_000)).slice(1),
  ]),
];
