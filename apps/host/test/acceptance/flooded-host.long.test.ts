import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../harness/program.ts';

const maxWebhooks = 20;
const largeRecords = 64;
const recordBytes = 225_000;

test('a pool that floods a host with large records and webhooks does not fail another pool’s accepts', async () => {
  const host = await startProgram({ LOG_LEVEL: 'fatal', NODE_OPTIONS: '--max-old-space-size=320' });
  onTestFinished(async () => void (await host.stop()));
  await host.makePool('loud');
  await host.makePool('quiet');
  for (let place = 0; place < maxWebhooks; place += 1) {
    // Each body differs from the others: nothing is shared between them.
    const webhook = {
      url: 'http://127.0.0.1:9/',
      auth: { type: 'none' },
      properties: ['essay', `other${place}`],
    };
    await host.done('POST', '/v1/admin/pools/loud/webhooks', webhook);
  }

  const answers = {
    name: 'Ada',
    essay: Array.from({ length: 25 }, () => 'x'.repeat(recordBytes / 25)),
    ...Object.fromEntries(Array.from({ length: maxWebhooks }, (_, place) => [`other${place}`, place])),
  };
  const flood = Promise.all(
    Array.from({ length: largeRecords }, () => host.call('POST', '/v1/pools/loud/waivers', { answers })),
  );
  let isFlooding = true;
  const flooded = flood.finally(() => {
    isFlooding = false;
  });
  flooded.catch(() => {});
  const quiet: number[] = [];
  do {
    quiet.push((await host.call('POST', '/v1/pools/quiet/waivers', { answers: { name: 'Ada' } })).status);
  } while (isFlooding);

  expect(new Set(quiet)).toEqual(new Set([201]));
  const refused = (await flooded).filter(({ status }) => status !== 201);
  expect((await flooded).length - refused.length).toBeGreaterThan(0);
  for (const { status, headers, body } of refused) {
    expect({ status, code: body.code }).toEqual({ status: 429, code: 'pool_busy' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  // The records that were refused can be sent again, and those that were stored can be changed.
  expect((await host.call('POST', '/v1/pools/loud/waivers', { answers })).status).toBe(201);
  expect(host.spawned.process.exitCode).toBeNull();
});
