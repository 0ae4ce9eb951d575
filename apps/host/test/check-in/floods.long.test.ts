import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '@waiver-service/database/testing';
import type { Signing } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import { signed } from '@waiver-service/forms/testing';
import { makeLink, type PublishedExample, publishForm, type TestCaller } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type Program, startProgram } from '../harness/program.ts';

const adult = '1990-02-28';
const signings = '/check-in/api/signings';
const windowMs = 3_000;
const lowestPriority = 19;
const maxBodyBytes = 4 * 1024 * 1024;

/** Repeats a request on eight connections until its input ends; prints how often each status came. */
const flooder = `
const [url, method, token, body, padding] = JSON.parse(process.argv[1]);
const statuses = {};
let isOver = false;
process.stdin.on('end', () => { isOver = true; }).resume();
// From another address than the guests of the other pool.
const headers = { authorization: 'Bearer ' + token, 'x-forwarded-for': '203.0.113.7', ...(body === null ? {} : { 'content-type': 'application/json' }) };
const spaces = ' '.repeat(padding);
async function run() {
  while (!isOver) {
    const id = crypto.randomUUID();
    const text = body?.replaceAll('ID', id).concat(spaces);
    const response = await fetch(url.replace('ID', id), { method, headers, body: text }).catch(() => ({ status: 'broken', arrayBuffer() {} }));
    await response.arrayBuffer();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  }
}
Promise.all(Array.from({ length: 8 }, run)).then(() => {
  console.log(JSON.stringify(statuses));
  process.exit();
});
`;

const newSigning = ({ form, version, content }: PublishedExample, id: string): Signing => ({
  ...signed(content, [adult]),
  ...{ id, form, version },
});

interface Flood {
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly path: string;
  readonly padding?: number;
}

const floods = {
  signings: { method: 'POST', path: signings },
  'signings of 4 MiB': { method: 'POST', path: signings, padding: maxBodyBytes - 20_000 },
  pages: { method: 'PUT', path: `${signings}/ID/page` },
  openings: { method: 'GET', path: '/check-in/api/session' },
} as const satisfies Record<string, Flood>;

async function openHost() {
  const database = await createTestDatabase();
  const host = await startProgram({
    DATABASE_URL: database.url,
    LOG_LEVEL: 'fatal',
    TRUST_PROXY: '127.0.0.1',
  });
  onTestFinished(async () => {
    await host.stop();
    await database.drop();
  });
  const admin: TestCaller = (method, path, body) => host.call(method, path, body);
  const open = async (pool: string) => {
    await host.makePool(pool);
    const form = await publishForm({ admin }, pool, exampleForms[0]?.content);
    return { form, token: await makeLink(admin, pool, { desk: true }) };
  };
  return { host, open };
}

type Opened = Awaited<ReturnType<Awaited<ReturnType<typeof openHost>>['open']>>;

/** Signs again and again for a time: each is stored. */
async function signFor(host: Program, { form, token }: Opened): Promise<void> {
  const until = performance.now() + windowMs;
  while (performance.now() < until) {
    const { status } = await host.call('POST', signings, newSigning(form, crypto.randomUUID()), { token });
    expect(status).toBe(201);
    // Within the budget of a link.
    await delay(200);
  }
}

const printedSchema = z.record(z.string(), z.number());

/** @returns a function that ends the flood, and returns what it printed */
function flood(host: Program, { method, path, padding = 0 }: Flood, { form, token }: Opened) {
  const signing = newSigning(form, 'ID');
  const { language, guests, signer, version } = signing;
  const page = { form: signing.form, version, language, guests, signer, page: form.content.pages[0]?.id };
  const body = { POST: JSON.stringify(signing), PUT: JSON.stringify(page), GET: null }[method];
  const given = JSON.stringify([`${host.url}${path}`, method, token, body, padding]);
  const child = spawn(process.execPath, ['-e', flooder, given], { stdio: ['pipe', 'pipe', 'inherit'] });
  // Its own processor time would be another machine's.
  if (child.pid !== undefined) setPriority(child.pid, lowestPriority);
  const printed = text(child.stdout);
  return async () => {
    child.stdin.end();
    return printedSchema.parse(JSON.parse(await printed));
  };
}

// How much slower the other pool signs is a figure of the benchmarks (`flood-of-…`).
test.each(Object.entries(floods))(
  'while one link floods its pool with %s, another pool signs, and the flood is taken or told to wait',
  async (_, kind) => {
    const { host, open } = await openHost();
    const quiet = await open('quiet');
    const end = flood(host, kind, await open('loud'));
    await signFor(host, quiet);
    expect(['200', '201', '204', '429']).toEqual(expect.arrayContaining(Object.keys(await end())));
  },
);
