import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom, until } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { callInTurn } from '../harness/fleet.ts';
import { type Forwarder, startForwarder } from '../harness/forwarder.ts';
import { keepSigning } from '../harness/keep-signing.ts';
import { startOwnPostgres } from '../harness/own-postgres.ts';
import { type Program, startProgram } from '../harness/program.ts';
import { expectAllRecorded, untilRecorded } from '../harness/recorded-writes.ts';
import { makeSendingPool, startTimedReceiver } from '../harness/timed-receiver.ts';

const minutes = 10;

interface Way {
  readonly forwarder: Forwarder;
  readonly socketPath: string;
  readonly url: string;
}

async function wayTo(databaseUrl: string): Promise<Way> {
  const { pathname, searchParams, username } = new URL(databaseUrl.replace('@/', '@localhost/'));
  const forwarder = await startForwarder();
  const socketPath = join(searchParams.get('host') ?? '', '.s.PGSQL.5432');
  forwarder.leadTo(socketPath);
  return { forwarder, socketPath, url: `postgresql://${username}@127.0.0.1:${forwarder.port}${pathname}` };
}

/** Breaks the ways of two hosts to their database until it is time: mostly one, sometimes both; one in twenty goes silent. */
async function breakConnections(ways: readonly Way[], random: () => number) {
  const counts = { cuts: 0, silences: 0 };
  const endsAt = performance.now() + minutes * 60_000;
  while (performance.now() < endsAt) {
    await delay(random() * 2_000);
    const isBoth = random() < 0.2;
    const only = random() < 0.5 ? 0 : 1;
    const chosen = ways.filter((_, place) => isBoth || place === only);
    const isSilence = random() < 0.05;
    for (const { forwarder } of chosen) {
      if (isSilence) forwarder.vanish();
      else forwarder.cut();
    }
    counts[isSilence ? 'silences' : 'cuts'] += chosen.length;
    await delay(random() * 500);
    for (const { forwarder, socketPath } of chosen) forwarder.leadTo(socketPath);
  }
  return counts;
}

const untilReady = (host: Program) =>
  until(
    async () => (await host.call('GET', '/readyz')).status === 200,
    'the host to be ready by itself',
    60_000,
  );

test(`two hosts whose connections to PostgreSQL break for ${minutes} minutes: nothing lost, nothing out of order`, async () => {
  // What writes to a silenced connection waits for it, and for that, in turn, whatever creates or drops a database.
  const server = await startOwnPostgres();
  const ways = await Promise.all([wayTo(server.url), wayTo(server.url)]);
  onTestFinished(async () => {
    for (const { forwarder } of ways) await forwarder.close();
    await server.remove();
  });
  const receiver = await startTimedReceiver(() => 'taken');
  const hosts = await Promise.all(
    ways.map(({ url }) =>
      startProgram({
        DATABASE_URL: url,
        // A lost lease uses an attempt.
        RETRY_SCHEDULE: Array(20).fill('0s').join(','),
        LOG_LEVEL: 'fatal',
      }),
    ),
  );
  const [host] = hosts;
  if (host === undefined) throw new Error('there is no host');
  const token = await makeSendingPool(host, receiver);
  const load = keepSigning(callInTurn({ hosts }, token));

  const counts = await breakConnections(ways, seededRandom(1));
  await Promise.all(hosts.map(untilReady));
  await receiver.untilMore();
  await untilRecorded({ host, receiver }, await load.end());

  await expectAllRecorded({ host, token, load, receiver }, counts);
  for (const each of hosts) expect(await each.stop()).toBe(0);
  await receiver.close();
}, 1_800_000);
