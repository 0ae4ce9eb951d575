import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@waiver-service/database/testing';
import { type SimulatedWebhookReceiver, startWebhookReceiver } from '@waiver-service/simulator';
import { adminToken, startSystemFor, until } from '@waiver-service/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Program, startProgram } from '../harness/program.ts';
import { untilNothingWaits } from '../harness/recorded-writes.ts';
import { encryptionKeys } from '../harness/test-host.ts';

let database: TestDatabase;
let receiver: SimulatedWebhookReceiver;
let system: Awaited<ReturnType<typeof startSystemFor>>;
beforeEach(async () => {
  database = await createTestDatabase();
  [receiver, system] = await Promise.all([startWebhookReceiver(), startSystemFor('standard')]);
});
afterEach(async () => {
  await Promise.all([receiver.close(), system.close()]);
  await database.drop();
});

async function startConnected(): Promise<Program> {
  const program = await startProgram({ DATABASE_URL: database.url });
  await program.makePool('p');
  await program.connect('standard', system, 'p');
  await program.done('POST', '/v1/admin/pools/p/webhooks', { url: receiver.url, auth: { type: 'none' } });
  return program;
}

/** Signs waivers, some at a time, until the host takes no more; returns the ids that it said it has. */
async function signUntilRefused(program: Program): Promise<string[]> {
  const accepted: string[] = [];
  let count = 0;
  const worker = async () => {
    for (;;) {
      count += 1;
      const id = `W-${count}`;
      const waiver = { id, bookingId: 'BK-1001', answers: { name: 'Ada' } };
      const answer = await program.call('POST', '/v1/pools/p/waivers', waiver).catch(() => undefined);
      // No connection: it takes no more.
      if (answer === undefined) return;
      expect([id, answer.status]).toEqual([id, 201]);
      accepted.push(id);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return accepted;
}

describe('an orderly end under load', () => {
  test.each<readonly [NodeJS.Signals, NodeJS.Signals]>([
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGINT'],
  ])(
    '%s, and %s again: status 0, nothing lost, nothing sent twice',
    async (first, second) => {
      const program = await startConnected();
      // Slow enough that some are on their way when the signal comes.
      system.faults.always('guest-update', { kind: 'latency', milliseconds: 60 });
      receiver.faults.always('webhook', { kind: 'latency', milliseconds: 60 });
      const signing = signUntilRefused(program);
      await receiver.untilReceived('webhook', 20);
      system.faults.next('read', { kind: 'latency', milliseconds: 700 }, 5);
      const reads = Array.from({ length: 5 }, (_, index) =>
        program.call('GET', `/v1/pools/p/bookings/BK-100${index + 1}`).then(({ status }) => status),
      );
      await system.untilReceived('read', 4);
      program.spawned.process.kill(first);
      await until(
        () =>
          fetch(`${program.url}/healthz`).then(
            () => false,
            () => true,
          ),
        'it to take no more',
      );
      program.spawned.process.kill(second);
      const statuses = await Promise.all(reads);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
      const accepted = await signing;
      expect(accepted.length).toBeGreaterThan(20);
      expect(await program.spawned.ended).toBe(0);

      const next = await startProgram({ DATABASE_URL: database.url });
      await untilNothingWaits(next);
      for (const [route, requests] of [
        ['webhook', receiver.received],
        ['guest-update', system.received],
      ] as const) {
        const sent = requests
          .filter((request) => request.route === route)
          .map(({ body }) => JSON.parse(body.toString()))
          .map(({ waiver, guest }) => waiver ?? guest);
        // A read corrects the visit's time, which creates a version.
        const versions = sent.map(({ id, updatedAt }) => `${id} ${updatedAt}`);
        expect(versions.filter((version, index) => versions.indexOf(version) !== index)).toEqual([]);
        expect(sent.map(({ id }) => id)).toEqual(expect.arrayContaining(accepted));
      }
      expect(await next.stop()).toBe(0);
    },
    60_000,
  );
});

describe('npm start', () => {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));

  test.each<readonly [NodeJS.Signals, 'npm' | 'everyone' | 'npm twice']>([
    ['SIGTERM', 'npm'],
    ['SIGTERM', 'npm twice'],
    ['SIGINT', 'everyone'],
  ])(
    '%s to %s ends it with status 0, and the host with it',
    async (signal, whom) => {
      const { PATH = '', HOME = '' } = process.env;
      // Without the build of `prestart`, which is done already and would slow down other
      // tests.
      const npm = spawn('npm', ['start', '--ignore-scripts'], {
        cwd: root,
        env: {
          PATH,
          HOME,
          PORT: '0',
          DRAIN_TIME: '0s',
          DATABASE_URL: database.url,
          ADMIN_TOKEN: adminToken,
          ENCRYPTION_KEYS: encryptionKeys,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      const ended = new Promise((resolve) => npm.once('close', (status, by) => resolve(status ?? by)));
      let output = '';
      for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (part) => (output += String(part)));
      const isOver = ended.then((status) =>
        Promise.reject(new Error(`npm start ended with ${status}: ${output}`)),
      );
      const listening = until(() => /^listening on (\S+)$/m.exec(output)?.[1], 'npm start to listen', 60_000);
      const url = await Promise.race([listening, isOver]);
      isOver.catch(() => {});
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      // A terminal sends the signal to every process of the group at once.
      if (npm.pid === undefined) throw new Error('npm did not start');
      process.kill(whom === 'everyone' ? -npm.pid : npm.pid, signal);
      if (whom === 'npm twice') process.kill(npm.pid, signal);
      expect(await ended).toBe(0);
      await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    },
    90_000,
  );
});
