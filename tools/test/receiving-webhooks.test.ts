import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guestWebhookSchema, type WebhookGuest } from '@waiver-service/core';
import { createTestDatabase, type TestDatabase } from '@waiver-service/database/testing';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { repository } from '../src/outside/outside-place.ts';
import { documentedBlock } from './documented-block.ts';

const page = readFileSync(join(repository, 'docs/receiving-webhooks.md'), 'utf8');

/** The page's only code block in a language. */
function codeIn(language: string): string {
  const [found, ...others] = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  expect(others).toEqual([]);
  return found?.[1] ?? '';
}

const example = guestWebhookSchema.parse(JSON.parse(codeIn('json'))).guest;
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no TCP address');
  return address.port;
}

let folder: string;
let database: TestDatabase;
let client: pg.Client;
let url: string;
let endpoint: ReturnType<typeof spawn>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'receiving-webhooks-'));
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'endpoint.mjs'), codeIn('js'));
  database = await createTestDatabase({ empty: true });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(documentedBlock('docs/receiving-webhooks.md', 'CREATE TABLE guests'));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  endpoint = spawn(process.execPath, [join(folder, 'endpoint.mjs')], {
    env: { ...process.env, PORT: String(port), DATABASE_URL: database.url, WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  await vi.waitFor(async () => expect((await fetch(url)).status).toBe(401), { timeout: 60_000 });
});
afterAll(async () => {
  endpoint.kill();
  await client.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

interface Sent {
  readonly at?: Date;
  readonly secret?: string;
  /** The body that arrives, if it is not the signed one. */
  readonly body?: string;
}

async function send(guest: Partial<WebhookGuest>, sent: Sent = {}): Promise<number> {
  const body = JSON.stringify({ guest: { ...example, ...guest } });
  const { at = new Date() } = sent;
  const headers = {
    'content-type': 'application/json',
    'webhook-id': `${guest.id} ${guest.updatedAt}`,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(sent.secret ?? secret).sign(`${guest.id} ${guest.updatedAt}`, at, body),
  };
  return (await fetch(url, { method: 'POST', headers, body: sent.body ?? body })).status;
}

async function stored(id: string): Promise<unknown[]> {
  const { rows } = await client.query('SELECT record FROM guests WHERE id = $1', [id]);
  return rows.map(({ record }) => record);
}

const at = (second: number) => `2027-06-10T18:04:${String(second).padStart(2, '0')}.000Z`;

test('the endpoint of the page stores a guest, and a later version in its place', async () => {
  expect(await send({ id: 'order', updatedAt: at(1), feedback: 'first' })).toBe(204);
  expect(await send({ id: 'order', updatedAt: at(3), feedback: 'third' })).toBe(204);
  expect(await stored('order')).toEqual([{ ...example, id: 'order', updatedAt: at(3), feedback: 'third' }]);
});

test('it accepts a version that comes late, and keeps the newer one', async () => {
  expect(await send({ id: 'order', updatedAt: at(2), feedback: 'second' })).toBe(204);
  expect(await stored('order')).toMatchObject([{ feedback: 'third' }]);
});

test('a repeated message changes nothing but what was withdrawn', async () => {
  const message = { id: 'repeated', updatedAt: at(1) };
  await send({ ...message, name: 'Zoë Bäcker' });
  expect(await send(message)).toBe(204);
  expect(await send({ ...message, name: undefined })).toBe(204);
  const [record] = await stored('repeated');
  expect(record).not.toHaveProperty('name');
  expect(record).toMatchObject(message);
});

test('nothing replaces a void, whatever comes after it', async () => {
  await send({ id: 'void', updatedAt: at(2), deleted: true });
  expect(await send({ id: 'void', updatedAt: at(3), deleted: false })).toBe(204);
  expect(await stored('void')).toMatchObject([{ deleted: true, updatedAt: at(2) }]);
});

test.each<[string, Sent]>([
  ['another secret', { secret: `whsec_${Buffer.alloc(24, 8).toString('base64')}` }],
  ['another body', { body: JSON.stringify({ guest: { ...example, id: 'forged' } }) }],
  ['a timestamp of six minutes ago', { at: new Date(Date.now() - 6 * 60_000) }],
])('%s is refused, and nothing is stored', async (_name, sent) => {
  expect(await send({ id: 'forged', updatedAt: at(1) }, sent)).toBe(401);
  expect(await stored('forged')).toEqual([]);
});

test('a body of more than a MiB is refused', async () => {
  expect(await send({ id: 'long', updatedAt: at(1), notes: 'x'.repeat(1024 * 1024) })).toBe(413);
  expect(await stored('long')).toEqual([]);
});

test('many versions at once leave the newest one', async () => {
  const seconds = [...Array(20).keys()];
  await Promise.all(seconds.map((second) => send({ id: 'race', updatedAt: at(second) })));
  expect(await stored('race')).toMatchObject([{ updatedAt: at(19) }]);
});
