import { exampleForms, type FormContent } from '@waiver-service/forms';
import { signed } from '@waiver-service/forms/testing';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { adminToken } from './secrets.ts';

const idSchema = z.looseObject({ id: z.string() });
const linkSchema = z.looseObject({ url: z.url() });
const versionSchema = z.looseObject({ version: z.int() });
const recordSchema = z.looseObject({ answers: z.record(z.string(), z.unknown()) });

/** Guests who sign at the desks of some pools, and waiver apps that store the same answers. */
export interface SigningClient {
  /** `POST /check-in/api/signings`, for one adult. */
  sign(index: number): Promise<void>;
  /** `POST /v1/pools/{pool}/waivers`, with the answers that the same signing stores. */
  storeWaiver(index: number): Promise<void>;
  close(): Promise<void>;
}

interface Desk {
  readonly pool: string;
  readonly form: string;
  readonly version: number;
  readonly token: string;
}

const adult = '1990-02-28';
const idleAtMostMs = 4_000;

/** Publishes a form for each pool and makes a link for its desk. */
export async function openSigningClient(hostUrl: string, pools: readonly string[]): Promise<SigningClient> {
  const content: FormContent | undefined = exampleForms[0]?.content;
  if (content === undefined) throw new Error('there is no example form');
  // Connections idle while the other side of the row runs: do not reuse one that the server may be closing.
  const dispatcher = new Agent({ keepAliveMaxTimeout: idleAtMostMs });

  async function call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object, token = adminToken) {
    const answer = await request(`${hostUrl}${path}`, {
      dispatcher,
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    const parsed: unknown = JSON.parse(text);
    return parsed;
  }

  async function openDesk(pool: string): Promise<Desk> {
    const forms = `/v1/admin/pools/${pool}/forms`;
    const { id: form } = idSchema.parse(await call('POST', forms, { name: 'Waiver' }));
    await call('PUT', `${forms}/${form}/draft`, content);
    const { version } = versionSchema.parse(await call('POST', `${forms}/${form}/publish`, {}));
    const link = linkSchema.parse(await call('POST', `/v1/pools/${pool}/check-in-links`, { desk: true }));
    return { pool, form, version, token: link.url.split('/').at(-1) ?? '' };
  }

  const desks: Desk[] = [];
  for (const pool of pools) desks.push(await openDesk(pool));
  const filled = signed(content, [adult]);
  const deskOf = (index: number): Desk => {
    const desk = desks[index % desks.length];
    if (desk === undefined) throw new Error('there is no desk');
    return desk;
  };
  async function sign(index: number): Promise<string> {
    const { form, version, token } = deskOf(index);
    const id = crypto.randomUUID();
    await call('POST', '/check-in/api/signings', { ...filled, id, form, version }, token);
    return `${id}-1`;
  }
  const first = await sign(0);
  const { answers } = recordSchema.parse(await call('GET', `/v1/pools/${deskOf(0).pool}/waivers/${first}`));
  return {
    async sign(index) {
      await sign(index);
    },
    async storeWaiver(index) {
      await call('POST', `/v1/pools/${deskOf(index).pool}/waivers`, { id: crypto.randomUUID(), answers });
    },
    close: () => dispatcher.close(),
  };
}
