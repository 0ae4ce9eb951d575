import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listenLocally, report, until } from '@waiver-service/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { documentedBlock } from '../harness/documented-blocks.ts';
import { createFleet } from '../harness/fleet.ts';
import { startOwnPostgres } from '../harness/own-postgres.ts';
import type { Program } from '../harness/program.ts';

const guests = 100;

const planted = /planted\d+\w*/g;
const wordsIn = (text: string) => [...new Set(text.match(planted) ?? [])];

const answerNames = [
  'howHeard',
  'emergencyName',
  'emergencyPhone',
  'emergencyRelationship',
  'guardianName',
  'notes',
  'feedback',
  'ownQuestion',
];

/** A guest with unique words in every field. */
function guestOf(number: number) {
  const word = (field: string) => `planted${number}${field}`;
  const answers: Record<string, unknown> = {
    name: `${word('First')} ${word('Last')}`,
    email: `${word('Mail')}@example.com`,
    phoneNumber: word('Phone'),
    nested: { list: [word('Nested')] },
  };
  for (const name of answerNames) answers[name] = word(name);
  return {
    id: `W-${number}`,
    number,
    email: `${word('Mail')}@example.com`.toUpperCase(),
    bookingId: word('Booking'),
    bookingGuestId: word('GuestId'),
    activities: [word('Activity')],
    currentPage: word('Page'),
    answers,
    booking: {
      id: word('Booking'),
      status: 'Active',
      pax: 1,
      notes: word('BookingNotes'),
      contact: { name: word('Contact'), email: `${word('Mail')}@example.com` },
      guests: [{ id: word('GuestId'), name: word('Name'), email: `${word('Mail')}@example.com` }],
      bookedSessions: [{ startsAt: '2020-06-12T07:30:00Z', activityId: word('Activity') }],
    },
  };
}

/** A booking system and a receiver, which rejects and quotes each message until told to accept. */
async function startPartner(bookings: ReadonlyMap<string, unknown>) {
  const state = { takes: false, deleted: 0 };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const [, id = ''] = /^\/system\/bookings\/([^/?]+)\?/.exec(request.url ?? '') ?? [];
      const booking = request.method === 'GET' ? bookings.get(decodeURIComponent(id)) : undefined;
      const takes = request.method === 'POST' && state.takes;
      if (takes && body.includes('"deleted":true')) state.deleted += 1;
      response.writeHead(booking !== undefined || takes ? 200 : 422, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(booking ?? (takes ? { success: true } : { success: false, message: body })),
      );
    });
  });
  const port = await listenLocally(server);
  onTestFinished(() => void server.close().closeAllConnections());
  return { state, url: `http://127.0.0.1:${port}` };
}

/** Every row of every table, as text. */
async function dump(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push(...found.map(({ text }) => `${name}: ${text}`));
  }
  return texts.join('\n');
}

/** The words in the files below a folder. */
function wordsInFiles(folder: string): string[] {
  const words = new Set<string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    for (const word of wordsIn(readFileSync(path, 'latin1'))) words.add(word);
  }
  return [...words];
}

async function preparePool(host: Program, pool: string, url: string): Promise<string> {
  const shared = [...answerNames, 'name', 'email', 'phoneNumber', 'nested'];
  const token = await host.makePool(pool);
  await host.connect('standard', { url: `${url}/system` }, pool);
  const path = `/v1/admin/pools/${pool}`;
  await host.done('PATCH', `${path}/installations/standard`, { shareProperties: shared });
  const webhook = { url: `${url}/webhook`, auth: { type: 'none' }, properties: shared };
  await host.done('POST', `${path}/webhooks`, webhook);
  return token;
}

test(`${guests} guests are erased, as many pruned, one host killed: no word of them is left in a table, a file or a log`, async () => {
  const server = await startOwnPostgres();
  onTestFinished(() => server.remove());
  const all = Array.from({ length: 2 * guests }, (_, index) => guestOf(index + 1));
  const partner = await startPartner(new Map(all.map(({ bookingId, booking }) => [bookingId, booking])));
  const fleet = createFleet({ DATABASE_URL: server.url, LOG_LEVEL: 'trace' });
  const [first, second] = [await fleet.join(), await fleet.join()];
  const started = [first, second];
  const tokens = {
    p: await preparePool(first, 'p', partner.url),
    q: await preparePool(first, 'q', partner.url),
  };
  const poolOf = ({ number }: { number: number }) => (number <= guests ? 'p' : 'q');

  const deliveries = async (state: string) => {
    const found = await fleet.all(`/v1/admin/deliveries?state=${state}&`);
    return found.length;
  };
  const call = (method: string, path: string, guest: (typeof all)[number], body?: unknown) => {
    const pool = poolOf(guest);
    return second.done(method, `/v1/pools/${pool}/${path}`, body, { token: tokens[pool] });
  };
  for (const guest of all) {
    const { id, bookingId, bookingGuestId, activities, currentPage, answers } = guest;
    await call('GET', `bookings/${bookingId}`, guest);
    await call('POST', 'waivers', guest, {
      id,
      bookingId,
      bookingGuestId,
      activities,
      currentPage,
      answers,
    });
  }
  await until(async () => (await deliveries('dead')) === 2 * all.length, 'everything to be refused', 120_000);
  partner.state.takes = true;
  for (const guest of all) {
    await call('PATCH', `waivers/${guest.id}`, guest, { currentPage: null, answers: { howHeard: null } });
  }
  await until(
    async () => (await deliveries('delivered')) === 2 * all.length,
    'everything to be delivered',
    120_000,
  );
  const client = new Client({ connectionString: server.url });
  client.on('error', () => {});
  onTestFinished(() => client.end());
  await client.connect();
  const expected = new Set(wordsIn(JSON.stringify(all)).filter((word) => !/(?:Email|EMAIL)/.test(word)));
  const before = new Set(wordsIn(await dump(client)));
  // The addresses are asked for in capitals.
  expect([...expected].filter((word) => word === word.toLowerCase() && !before.has(word))).toEqual([]);
  expect(before.size).toBeGreaterThan(guests * 10);
  await client.query('checkpoint');
  expect(wordsInFiles(server.tables()).length).toBeGreaterThan(guests * 10);

  const erasures: string[] = [];
  for (const { id, email, number } of all.filter((guest) => poolOf(guest) === 'p')) {
    const guest = number % 2 === 0 ? { email } : { waiverId: id };
    erasures.push((await second.done('POST', '/v1/admin/pools/p/erasures', guest)).id);
    if (erasures.length === Math.ceil(guests / 2)) {
      fleet.leave(first);
      first.spawned.process.kill('SIGKILL');
    }
  }
  await second.done('PUT', '/v1/admin/pools/q', { name: 'q', retention: { waiversDays: 1 } });
  // Each host begins with a round.
  started.push(await fleet.join());
  for (const id of erasures) {
    await until(
      async () => (await second.done('GET', `/v1/admin/pools/p/erasures/${id}`)).state === 'done',
      'each guest to be erased',
      120_000,
    );
  }
  const list = async () => (await second.done('GET', '/v1/pools/q/waivers')).items;
  await until(async () => (await list()).length === 0, 'the others to be pruned', 60_000);
  for (const { id } of all.slice(0, 3)) {
    const { status, body } = await second.call('GET', `/v1/pools/p/waivers/${id}`);
    expect([status, body.code]).toEqual([410, 'waiver_erased']);
  }
  expect(partner.state.deleted).toBeGreaterThanOrEqual(2 * guests);

  const rows = (await dump(client)).split('\n').filter((row) => wordsIn(row).length > 0);
  // Of a booking, which others come with, too, its id stays until it is over: with its times, and with keyed hashes of those
  // who were erased, so that nothing is sent to them.
  const isOfBooking = (row: string) => /^(?:upcoming_booking|invitation_block): /.test(row);
  expect(rows.filter((row) => !isOfBooking(row))).toEqual([]);
  expect(rows.flatMap(wordsIn).filter((word) => !word.endsWith('Booking'))).toEqual([]);
  // A request's path has the id of its booking.
  const logged = started.flatMap(({ spawned }) => wordsIn(spawned.stdout() + spawned.stderr()));
  expect(logged.filter((word) => !word.endsWith('Booking'))).toEqual([]);
  for (const host of fleet.hosts) expect(await host.stop()).toBe(0);
  // Statistics hold samples of stored values; analyzing an empty table keeps them.
  await client.query('truncate upcoming_booking, invitation_block');
  const statements = documentedBlock('docs/operating.md', 'delete from pg_statistic').trim().split('\n');
  for (const statement of statements) await client.query(statement);
  expect(wordsInFiles(server.tables())).toEqual([]);
  report({ guests: all.length, words: before.size, told: partner.state.deleted });
}, 900_000);
