import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { exampleForms, type Signing } from '@waiver-service/forms';
import { signed } from '@waiver-service/forms/testing';
import { createTestDatabase } from '@waiver-service/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { makeLink, type PublishedExample, publishForm } from '../harness/check-in.ts';
import type { TestCaller } from '../harness/connected-host.ts';
import { startProgram } from '../harness/program.ts';

const adult = '1990-02-28';
const signings = '/check-in/api/signings';
const floodMs = 8_000;
const maxBodyBytes = 4 * 1024 * 1024;

/** Repeats a request on eight connections until told to end, in a thread of its own; counts the statuses. */
const flooder = `
const { parentPort, workerData: { url, method, token, body, padding } } = require('node:worker_threads');
const statuses = {};
let isOver = false;
parentPort.on('message', () => { isOver = true; });
const headers = { authorization: 'Bearer ' + token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
async function run() {
  while (!isOver) {
    const id = crypto.randomUUID();
    const text = body?.replaceAll('ID', id).concat(' '.repeat(padding));
    const response = await fetch(url.replace('ID', id), { method, headers, body: text }).catch(() => ({ status: 'broken', arrayBuffer() {} }));
    await response.arrayBuffer();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  }
}
Promise.all(Array.from({ length: 8 }, run)).then(() => parentPort.postMessage(statuses)).then(() => process.exit());
`;

const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;

const newSigning = ({ form, version, content }: PublishedExample, id: string): Signing => ({
  ...signed(content, [adult]),
  ...{ id, form, version },
});

// Prints how much slower another pool signs meanwhile: a figure of a machine that does nothing else.
test('while one link floods its pool, another pool goes on signing, and the flood is taken or told to wait', async () => {
  const database = await createTestDatabase();
  const host = await startProgram({ DATABASE_URL: database.url, LOG_LEVEL: 'fatal' });
  onTestFinished(async () => {
    await host.stop();
    await database.drop();
  });
  const admin: TestCaller = (method, path, body) => host.call(method, path, body);
  async function open(pool: string) {
    await host.makePool(pool);
    const form = await publishForm({ admin }, pool, exampleForms[0]?.content);
    return { form, token: await makeLink(admin, pool, { desk: true }) };
  }
  const quiet = await open('quiet');

  async function signFor(ms: number): Promise<readonly number[]> {
    const times: number[] = [];
    const until = performance.now() + ms;
    while (performance.now() < until) {
      const began = performance.now();
      const body = newSigning(quiet.form, crypto.randomUUID());
      const { status } = await host.call('POST', signings, body, { token: quiet.token });
      times.push(performance.now() - began);
      expect(status).toBe(201);
      await delay(50);
    }
    return times;
  }

  await signFor(3_000);
  const alone = median(await signFor(floodMs));
  const results: string[] = [`alone: median ${alone.toFixed(1)} ms`];
  for (const [name, request] of Object.entries({
    signings: { method: 'POST', path: signings, padding: 0 },
    'signings of 4 MiB': { method: 'POST', path: signings, padding: maxBodyBytes - 20_000 },
    pages: { method: 'PUT', path: `${signings}/ID/page`, padding: 0 },
    openings: { method: 'GET', path: '/check-in/api/session', padding: 0 },
  })) {
    const loud = await open(`loud ${name}`.replaceAll(' ', '-').toLowerCase());
    const signing = newSigning(loud.form, 'ID');
    const { form, version, language, guests, signer } = signing;
    const page = { form, version, language, guests, signer, page: loud.form.content.pages[0]?.id };
    const body = { POST: signing, PUT: page, GET: undefined }[request.method];
    const worker = new Worker(flooder, {
      eval: true,
      workerData: {
        ...request,
        url: `${host.url}${request.path}`,
        token: loud.token,
        body: body && JSON.stringify(body),
      },
    });
    const times = await signFor(floodMs);
    worker.postMessage('end');
    const [statuses] = await once(worker, 'message');
    const ratio = median(times) / alone;
    expect(['200', '201', '204', '429']).toEqual(expect.arrayContaining(Object.keys(statuses)));
    results.push(
      `${name}: median ${median(times).toFixed(1)} ms, ratio ${ratio.toFixed(2)}, ${JSON.stringify(statuses)}`,
    );
  }
  process.stdout.write(`${results.join('\n')}\n`);
});
