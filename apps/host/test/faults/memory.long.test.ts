import { createServer } from 'node:http';
import { listenLocally, report, until } from '@waiver-service/testing';
import { expect, test } from 'vitest';
import { measure } from '../harness/measured.ts';
import { type Program, preloading, startProgram } from '../harness/program.ts';
import { untilNothingWaits } from '../harness/recorded-writes.ts';

const deliveries = 200_000;
const webhooks = 10;
const answerBytes = 128 * 1024;
const mebibyte = 1024 * 1024;

// Prints the memory in use after garbage collection.
const reportsMemory = preloading(
  `process.on('SIGUSR2', () => {
    globalThis.gc();
    // The second collection frees what the first one finalized.
    setTimeout(() => {
      globalThis.gc();
      const { heapUsed, external } = process.memoryUsage();
      process.stdout.write('held ' + (heapUsed + external) + '\\n');
    }, 200);
  });`,
  '--expose-gc',
);

async function heldMiB({ spawned }: Program): Promise<number> {
  const reports = () => [...spawned.stdout().matchAll(/^held (\d+)$/gm)];
  const before = reports().length;
  spawned.process.kill('SIGUSR2');
  const bytes = await until(() => reports().at(before)?.[1], 'the host to report its memory');
  return Math.round((Number(bytes) / mebibyte) * 10) / 10;
}

/** A receiver that takes everything and says much about it. */
async function startTalker() {
  const body = Buffer.alloc(answerBytes, 'x');
  let taken = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      taken += 1;
      response.end(body);
    });
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    taken: () => taken,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test(`memory is flat over ${deliveries} deliveries to receivers that answer with ${answerBytes / 1024} KiB each`, async () => {
  const talker = await startTalker();
  const program = await startProgram({
    LOG_LEVEL: 'fatal',
    OUTBOUND_TIMEOUT: '10s',
    ...reportsMemory,
  });
  await program.makePool('p');
  for (let count = 0; count < webhooks; count += 1) {
    const webhook = { url: `${talker.url}/${count}`, auth: { type: 'none' } };
    await program.done('POST', '/v1/admin/pools/p/webhooks', webhook);
  }
  let signed = 0;
  const deliver = async (count: number) => {
    const goal = talker.taken() + count;
    const worker = async () => {
      while (signed * webhooks < goal) {
        signed += 1;
        // A short queue: pending messages are in the database, not in memory.
        if (signed % 50 === 0)
          await until(() => signed * webhooks - talker.taken() < 2_000, 'sending', 60_000);
        await program.done('POST', '/v1/pools/p/waivers', { answers: { name: 'Ada' } });
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    await until(() => talker.taken() >= goal, 'everything to be taken', 60_000);
    await untilNothingWaits(program);
  };

  // Caches and connections fill first.
  await deliver(deliveries / 3);
  const early = await heldMiB(program);
  const watch = await measure(program);
  await deliver((deliveries * 2) / 3);
  const late = await heldMiB(program);
  const { peakMiB } = await watch.end();
  report({
    deliveries: talker.taken(),
    'held early, MiB': early,
    'held late, MiB': late,
    'peak RSS, MiB': peakMiB,
  });
  expect(talker.taken()).toBeGreaterThanOrEqual(deliveries);
  // Some hundred MiB were answered meanwhile, in the short form.
  expect(late - early).toBeLessThan(6);
  expect(peakMiB).toBeLessThan(500);
  expect(await program.stop()).toBe(0);
  talker.close();
}, 3_600_000);
