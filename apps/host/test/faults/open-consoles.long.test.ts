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
const changes = 150;
const changesPerSecond = 10;
const windowS = changes / changesPerSecond;

async function signIn({ call }: Program, token: string): Promise<Record<string, string>> {
  const answer = await call('POST', '/console/api/session', { token }, { token: null });
  const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
  return { cookie, 'x-waiver-console': '1' };
}

/** How many transactions the database has while a fixed number of waivers is stored and sent at a fixed rate. */
async function countTransactions(client: Client, sender: Program): Promise<number> {
  const count = async () => {
    // PostgreSQL adds what a connection did once it has been idle for ten seconds.
    await delay(11_000);
    const { rows } = await client.query(
      `select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`,
    );
    return Number(rows[0].count);
  };
  const before = await count();
  const started = performance.now();
  for (let change = 1; change <= changes; change += 1) {
    await sender.done('POST', '/v1/pools/p/waivers', { answers: { name: 'Ann' } });
    await delay(started + (change * 1_000) / changesPerSecond - performance.now());
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

  const none = await countTransactions(client, sender);
  const readers: EventReader[] = [await readEvents(host.url, await signIn(host, adminToken))];
  const one = await countTransactions(client, sender);
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
  const all = await countTransactions(client, sender);

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
    'transactions with none, one and all': `${none}, ${one}, ${all} in ${windowS} s`,
    'a change seen by all after': `${slowestMs} ms`,
    memory: `${startMiB} to ${peakMiB} MiB`,
  });
  // What both hosts do by themselves varies by some hundreds. One query of each console a second would be thousands.
  expect(all - Math.max(none, one)).toBeLessThan(consoles);
  expect(slowestMs).toBeLessThan(5_000);

  await Promise.all(readers.map((reader) => reader.close()));
  await client.end();
  await Promise.all([host.stop(), sender.stop(), receiver.close()]);
  await database.drop();
}, 300_000);
