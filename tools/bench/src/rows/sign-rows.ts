import type { Measured, Row } from '../harness/row.ts';
import { percentile } from '../harness/statistics.ts';
import { runInFlight } from '../in-flight.ts';
import { startHostProcess } from '../subjects/host-process.ts';
import { openSigningClient } from '../subjects/signing-client.ts';
import { createWaiverWorld } from '../subjects/waiver-world.ts';

const poolCount = 10;

async function timed(count: number, inFlight: number, post: (index: number) => Promise<void>) {
  const milliseconds: number[] = [];
  const startedAt = performance.now();
  await runInFlight(count, inFlight, async (index) => {
    const begunAt = performance.now();
    await post(index);
    milliseconds.push(performance.now() - begunAt);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const measured: Measured = {
    value: percentile(milliseconds, 50),
    figures: [
      { name: 'p99', value: percentile(milliseconds, 99), unit: 'ms' },
      { name: 'rate', value: count / seconds, unit: '/s' },
    ],
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
    const sides = {
      subject: () => timed(count, inFlight, client.sign),
      base: () => timed(count, inFlight, client.storeWaiver),
    };
    await sides.subject();
    await sides.base();
    return sides;
  },
});

/** A guest's signing, sealed and with its waiver, against a waiver stored by an app. */
export const signRows: readonly Row[] = [
  signRow({ name: 'sign', inFlight: 1, postsPerRun: 200 }),
  signRow({ name: 'sign-rush', inFlight: 32, postsPerRun: 1_000 }),
];
