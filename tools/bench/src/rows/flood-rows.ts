import { setTimeout as wait } from 'node:timers/promises';
import type { Measured, Row } from '../harness/row.ts';
import { percentile } from '../harness/statistics.ts';
import { type Flood, startFlood } from '../subjects/flood.ts';
import { startHostProcess } from '../subjects/host-process.ts';
import { type Desk, openSigningClient } from '../subjects/signing-client.ts';
import { createWaiverWorld } from '../subjects/waiver-world.ts';

const floodMs = 3_000;
// Within the budget of a link.
const signEveryMs = 200;
const maxBodyBytes = 4 * 1024 * 1024;
const loopback = '127.0.0.1';

const signings = '/check-in/api/signings';

const signingOf = ({ filled, form, version }: Desk) => JSON.stringify({ ...filled, id: 'ID', form, version });

function pageOf({ filled: { language, guests, signer }, form, version, page }: Desk): string {
  return JSON.stringify({ form, version, language, guests, signer, page });
}

type FloodOf = (desk: Desk) => Omit<Flood, 'url' | 'token'> & { readonly path: string };

const kinds: Readonly<Record<string, FloodOf>> = {
  signings: (desk: Desk) => ({ method: 'POST', path: signings, body: signingOf(desk) }),
  'large-signings': (desk: Desk) => {
    const body = signingOf(desk);
    return { method: 'POST', path: signings, body, padding: maxBodyBytes - body.length - 64 };
  },
  pages: (desk: Desk) => ({ method: 'PUT', path: `${signings}/ID/page`, body: pageOf(desk) }),
  openings: () => ({ method: 'GET', path: '/check-in/api/session' }),
};

const floodRow = (name: string, floodOf: FloodOf): Row => ({
  name: `flood-of-${name}`,
  subject: 'POST of a signing beside a flood, p50',
  base: 'the same alone, p50',
  unit: 'ms',
  async prepare(ground) {
    const { origins } = await ground.receivers();
    const world = await createWaiverWorld(ground, {
      kind: 'guest-webhook',
      waivers: 0,
      originOf: (pool) => origins[pool % origins.length] ?? '',
    });
    const host = await startHostProcess({
      DATABASE_URL: world.databaseUrl,
      ROLE: 'api',
      TRUST_PROXY: loopback,
    });
    ground.defer(() => host.stop());
    const client = await openSigningClient(host.url, [world.poolOf(0)]);
    ground.defer(() => client.close());
    const windowMs = ground.size(floodMs);
    async function signForAWhile(): Promise<number> {
      const times: number[] = [];
      const until = performance.now() + windowMs;
      while (performance.now() < until) {
        const begunAt = performance.now();
        await client.sign(0);
        times.push(performance.now() - begunAt);
        await wait(signEveryMs);
      }
      return percentile(times, 50);
    }
    let round = 0;
    async function signBesideFlood(): Promise<Measured> {
      round += 1;
      // Another pool each time, because the last one's budget is spent.
      const desk = await client.openDesk(world.poolOf(round));
      const { path, ...flood } = floodOf(desk);
      const end = startFlood({ ...flood, url: `${host.url}${path}`, token: desk.token });
      const value = await signForAWhile();
      const answers = await end();
      const figures = Object.entries(answers).map(
        ([status, count]) => ({ name: `flood ${status}`, value: count, unit: '' }) as const,
      );
      return { value, figures };
    }
    return { subject: signBesideFlood, base: async () => ({ value: await signForAWhile() }) };
  },
});

/** A guest's signing while a link of another pool floods the host. */
export const floodRows: readonly Row[] = Object.entries(kinds).map(([name, floodOf]) =>
  floodRow(name, floodOf),
);
