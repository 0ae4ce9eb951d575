import { setTimeout as delay } from 'node:timers/promises';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { createTestDatabase } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { textAt } from '../harness/connected-host.ts';
import { type EventReader, readEvents } from '../harness/event-stream.ts';
import { report } from '../harness/form.ts';
import { measure } from '../harness/measured.ts';
import { type Program, startProgram } from '../harness/program.ts';
import { adminToken, until } from '../harness/test-host.ts';

const consoles = 500;
// Each has as many streams as a person may.
const people = 5;
const windowMs = 15_000;
const changesPerSecond = 10;

async function signIn({ call }: Program, token: string): Promise<Record<string, string>> {
  const answer = await call('POST', '/console/api/session', { token }, { token: null });
  const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
  return { cookie, 'x-waiver-console': '1' };
}

/** How many transactions a second the database has, while waivers are stored and sent. */
async function measureRate(client: Client, sender: Program): Promise<number> {
  const count = async () => {
    // Counts of idle connections are reported within a second or so.
    await delay(1_500);
    const { rows } = await client.query(
      `select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`,
    );
    return Number(rows[0].count);
  };
  const before = await count();
  const started = performance.now();
  while (performance.now() - started < windowMs) {
    await sender.done('POST', '/v1/pools/p/waivers', { answers: { name: 'Ann' } });
    await delay(1_000 / changesPerSecond);
  }
  return (await count()) - before;
}

test('any number of open consoles costs the database no more than one, and all see a change within a second or so', async () => {
  const database = await createTestDatabase();
  const receiver = await startWebhookReceiver();
  const variables = { DATABASE_URL: database.url };
  const sender = await startProgram(variables);
  // Only here, so that its memory and its queries are those of the streams.
  const host = await startProgram({ ...variables, ROLE: 'api' });
  await sender.makePool('p');
  const webhook = { url: receiver.url, auth: { type: 'none' } };
  await sender.done('POST', '/v1/admin/pools/p/webhooks', webhook);
  const client = new Client({ connectionString: database.url });
  await client.connect();

  const none = await measureRate(client, sender);
  const readers: EventReader[] = [await readEvents(host.url, await signIn(host, adminToken))];
  const one = await measureRate(client, sender);
  const memory = await measure(host);
  const tokens = [adminToken];
  for (let number = 1; number < people; number += 1) {
    const person = { name: `Person ${number}`, role: 'viewer' };
    tokens.push(textAt(await sender.done('POST', '/v1/admin/credentials', person), 'token'));
  }
  const places = Array.from({ length: consoles - 1 }, (_, place) => place + 1);
  const sessions = await Promise.all(
    places.map((place) => signIn(host, tokens[place % people] ?? adminToken)),
  );
  readers.push(...(await Promise.all(sessions.map((session) => readEvents(host.url, session)))));
  expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200));
  await delay(1_000);
  const all = await measureRate(client, sender);

  const changesBefore = readers.map((reader) => reader.changesOf('p'));
  await sender.done('POST', '/v1/pools/p/waivers', { answers: { name: 'Ann' } });
  const stored = performance.now();
  const hasHeard = (reader: EventReader, place: number) =>
    reader.changesOf('p') > (changesBefore[place] ?? 0);
  await until(() => readers.every(hasHeard), 'all to hear of it');
  const slowestMs = Math.round(performance.now() - stored);
  const { startMiB, peakMiB } = await memory.end();
  report({
    consoles,
    'transactions with none, one and all': `${none}, ${one}, ${all} in ${windowMs / 1_000} s`,
    'a change seen by all after': `${slowestMs} ms`,
    memory: `${startMiB} to ${peakMiB} MiB`,
  });
  // The cost of one is counted again, with some play for the work that both hosts do by themselves.
  expect(all - none).toBeLessThan((one - none) * 1.5 + consoles / 2);
  expect(slowestMs).toBeLessThan(5_000);

  await Promise.all(readers.map((reader) => reader.close()));
  await client.end();
  await Promise.all([host.stop(), sender.stop(), receiver.close()]);
  await database.drop();
}, 300_000);
