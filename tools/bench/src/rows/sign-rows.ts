import type { Measured, Row } from '../harness/row.ts';
import { timedTasks } from '../harness/timed-tasks.ts';
import { startHostProcess } from '../subjects/host-process.ts';
import { openSigningClient } from '../subjects/signing-client.ts';
import { createWaiverWorld } from '../subjects/waiver-world.ts';

// Each desk has its budget of signings a minute, which a fast machine would use up at a few.
const poolCount = 50;

async function timed(count: number, limit: number, post: (index: number) => Promise<void>) {
  const { p50, rate, figures } = await timedTasks(count, limit, post);
  const measured: Measured = {
    value: p50,
    figures: [figures.p99, { name: 'rate', value: rate, unit: '/s' }],
  };
  return measured;
}

interface SignRowOptions {
  readonly name: string;
  readonly inFlight: number;
  readonly postsPerRun: number;
}

const signRow = ({ name, inFlight, postsPerRun }: SignRowOptions): Row => ({
  name,
  subject: `POST of a signing, ${inFlight} in flight, p50`,
  base: 'POST of its waiver, p50',
  unit: 'ms',
  async prepare(ground) {
    const { origins } = await ground.receivers();
    const world = await createWaiverWorld(ground, {
      kind: 'guest-webhook',
      waivers: 0,
      originOf: (pool) => origins[pool % origins.length] ?? '',
    });
    const host = await startHostProcess({ DATABASE_URL: world.databaseUrl, ROLE: 'api' });
    ground.defer(() => host.stop());
    const pools = Array.from({ length: poolCount }, (_, index) => world.poolOf(index));
    const client = await openSigningClient(host.url, pools);
    ground.defer(() => client.close());
    const count = ground.size(postsPerRun);
    return {
      subject: () => timed(count, inFlight, client.sign),
      base: () => timed(count, inFlight, client.storeWaiver),
    };
  },
});

/** A guest's signing, sealed and with its waiver, against a waiver stored by an app. */
export const signRows: readonly Row[] = [
  signRow({ name: 'sign', inFlight: 1, postsPerRun: 200 }),
  signRow({ name: 'sign-rush', inFlight: 32, postsPerRun: 1_000 }),
];
