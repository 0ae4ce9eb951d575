import type { FormContent } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import { signed } from '@waiver-service/forms/testing';
import { z } from 'zod';
import { timedTasks } from '../harness/measuring.ts';
import type { Measured, Row } from '../harness/row.ts';
import { type HostClient, openHostClient, startHostProcess } from '../subjects/host.ts';
import { createWaiverWorld } from '../subjects/waiver-world.ts';

const idSchema = z.looseObject({ id: z.string() });
const linkSchema = z.looseObject({ url: z.url() });
const versionSchema = z.looseObject({ version: z.int() });
const recordSchema = z.looseObject({ answers: z.record(z.string(), z.unknown()) });

/** The link of a pool's desk, and its form. */
interface Desk {
  readonly pool: string;
  readonly form: string;
  readonly version: number;
  readonly token: string;
}

/** Guests who sign at the desks of some pools, and waiver apps that store the same answers. */
interface SigningClient {
  /** `POST /check-in/api/signings`, for one adult. */
  sign(index: number): Promise<void>;
  /** `POST /v1/pools/{pool}/waivers`, with the answers that the same signing stores. */
  storeWaiver(index: number): Promise<void>;
  close(): Promise<void>;
}

const adult = '1990-02-28';

/** Publishes a form for each pool and makes a link for its desk. */
async function openSigningClient(hostUrl: string, pools: readonly string[]): Promise<SigningClient> {
  const content: FormContent | undefined = exampleForms[0]?.content;
  if (content === undefined) throw new Error('there is no example form');
  const client = openHostClient(hostUrl);
  async function call(...sent: Parameters<HostClient['call']>): Promise<unknown> {
    return JSON.parse(await client.call(...sent));
  }

  const filled = signed(content, [adult]);
  async function openDesk(pool: string): Promise<Desk> {
    const forms = `/v1/admin/pools/${pool}/forms`;
    const { id: form } = idSchema.parse(await call('POST', forms, { body: { name: 'Waiver' } }));
    await call('PUT', `${forms}/${form}/draft`, { body: content });
    const { version } = versionSchema.parse(await call('POST', `${forms}/${form}/publish`, { body: {} }));
    const link = linkSchema.parse(
      await call('POST', `/v1/pools/${pool}/check-in-links`, { body: { desk: true } }),
    );
    return { pool, form, version, token: link.url.split('/').at(-1) ?? '' };
  }

  const desks: Desk[] = [];
  for (const pool of pools) desks.push(await openDesk(pool));
  const deskOf = (index: number): Desk => {
    const desk = desks[index % desks.length];
    if (desk === undefined) throw new Error('there is no desk');
    return desk;
  };
  async function sign(index: number): Promise<string> {
    const { form, version, token } = deskOf(index);
    const id = crypto.randomUUID();
    await call('POST', '/check-in/api/signings', { body: { ...filled, id, form, version }, token });
    return `${id}-1`;
  }
  const first = await sign(0);
  const { answers } = recordSchema.parse(await call('GET', `/v1/pools/${deskOf(0).pool}/waivers/${first}`));
  return {
    async sign(index) {
      await sign(index);
    },
    async storeWaiver(index) {
      await call('POST', `/v1/pools/${deskOf(index).pool}/waivers`, {
        body: { id: crypto.randomUUID(), answers },
      });
    },
    close: () => client.close(),
  };
}

// Each desk has its budget of signings a minute, which a fast machine would use up at a few.
const poolCount = 50;

async function timed(
  count: number,
  limit: number,
  post: (index: number) => Promise<void>,
): Promise<Measured> {
  const { p50, rate, figures } = await timedTasks(count, limit, post);
  return { value: p50, figures: [figures.p99, { name: 'rate', value: rate, unit: '/s' }] };
}

const signRow = (name: string, inFlight: number, postsPerRun: number): Row => ({
  name,
  subject: `POST of a signing, ${inFlight} in flight, p50`,
  base: 'POST of its waiver, p50',
  unit: 'ms',
  async prepare(ground) {
    const world = await createWaiverWorld(ground, { kind: 'guest-webhook', waivers: 0 });
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
export const signRows: readonly Row[] = [signRow('sign', 1, 200), signRow('sign-rush', 32, 1_000)];
