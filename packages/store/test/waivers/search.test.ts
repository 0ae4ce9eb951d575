import { nameKey } from '@waiver-service/core';
import { MalformedCursor } from '@waiver-service/database';
import type { Answers } from '@waiver-service/waivers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { searchWaivers } from '../../src/waivers/search-waivers.ts';
import { openDatabase, openWithPool } from '../setup/open-test-store.ts';
import { readPages } from '../setup/read-pages.ts';

type Given = Parameters<typeof waiver>[0];

const sign = (store: Store, answers: Answers, given: Given = {}) =>
  store.waivers.create(
    waiver({ bookingSystem: null, bookingId: null, bookingGuestId: null, answers, ...given }),
  );

/** The ids of all that a search finds, page by page. */
async function findAll(store: Store, text: string, given: { limit?: number; state?: 'voided' } = {}) {
  const { limit = 100, ...filter } = given;
  const pages = await readPages((cursor) => store.waivers.search('p1', { text, limit, cursor, ...filter }));
  for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
  return pages.flat().map(({ id }) => id);
}

test('a search parses no record', async () => {
  const { store, query } = await openWithPool();
  await sign(store, { name: 'Ann Smith' }, { id: 'w1' });
  await sign(store, { name: 'Smith Ann', email: 'smith@example.com' }, { id: 'w2' });
  await query(`create or replace function waiver_search_keys(answers text) returns text[] language plpgsql as $$
    begin raise 'a record is parsed'; end $$`);
  expect((await findAll(store, 'smith ann')).toSorted()).toEqual(['w1', 'w2']);
});

test('a record whose erasure is requested during a search is not shown', async () => {
  const { store, query, url } = await openWithPool();
  await sign(store, { name: 'Ann' }, { id: 'w1' });
  await sign(store, { name: 'Anna' }, { id: 'w2' });
  const database = openDatabase(url);
  // Between the statement that finds the ids and the one that reads the records.
  const interrupted = database.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows.some(({ found }) => found === true))
        await query(`update waiver set erasure = 'e1' where id = 'w1'`);
      return result;
    },
  });
  const { items } = await searchWaivers(interrupted, 'p1', { text: 'ann', limit: 10 });
  expect(items.map(({ id }) => id)).toEqual(['w2']);
});

test('case, accents and punctuation do not matter', async () => {
  const { store } = await openWithPool();
  const cases = [
    ['jurgen', 'Jürgen Müller'],
    ['MULLER jür', 'Jürgen Müller'],
    ['Strasse', 'Anna Straße'],
    ['lukasz', 'ŁUKASZ'],
    ['obrien', 'Sinéad O’Brien'],
    ["o'brien", 'Sinéad O’Brien'],
    ['luc', 'Jean-Luc Picard'],
    ['jean-l', 'Jean-Luc Picard'],
    ['артем', 'АРТЁМ Ёлкин'],
    ['γιωργος', 'ΓΙΏΡΓΟΣ'],
    ['山田', '山田　太郎'],
    ['김철', '김철수'],
    ['nguyen', 'Nguyễn Đặng'],
    ['dang', 'Nguyễn Đặng'],
    ['full', 'Ｆｕｌｌ'],
    ['ipek', 'İPEK'],
  ] as const;
  for (const guest of new Set(cases.map(([, each]) => each)))
    await sign(store, { name: guest }, { id: guest });
  for (const [text, guest] of cases) expect(await findAll(store, text), text).toEqual([guest]);
});

test('wildcards, quotes and operators are only text', async () => {
  const { store } = await openWithPool();
  await sign(store, { name: 'Anna Smith', email: 'a%b_c\\@example.com' }, { id: 'w1' });
  await sign(store, { name: 'Bob', email: 'aXbYc@example.com' }, { id: 'w2' });
  for (const text of ['%', '_', '%c', "'", '\\', ':*', '& | !', '(', '[a-z]', '   ', 'a_b']) {
    expect(await findAll(store, text), text).toEqual([]);
  }
  expect(await findAll(store, 'a%b_c')).toEqual(['w1']);
});

test('an e-mail address is found by how it begins, an id and the id of a booking by the whole of it', async () => {
  const { store } = await openWithPool();
  await sign(store, { name: 'Anna', email: ' Anna.Smith@Example.com ' }, { id: 'w-1' });
  await sign(store, { name: 'Bob' }, { id: 'w-2', bookingSystem: 'standard', bookingId: 'BK-7' });
  await sign(store, { name: 'Carl' }, { id: 'w-3', bookingSystem: 'standard', bookingId: 'BK-7' });
  expect(await findAll(store, 'anna.smith@ex')).toEqual(['w-1']);
  expect(await findAll(store, 'smith@example.com')).toEqual([]);
  expect(await findAll(store, ' w-2 ')).toEqual(['w-2']);
  expect(await findAll(store, 'w-')).toEqual([]);
  expect(await findAll(store, 'BK-7', { limit: 1 })).toEqual(['w-2', 'w-3']);
});

test('a search follows each change, and finds no erased waivers', async () => {
  const { store, query } = await openWithPool();
  await sign(store, { name: 'Anna Smith', email: 'anna@example.com' }, { id: 'w1' });
  await store.waivers.update('p1', 'w1', { answers: { name: 'Anna Jones', notes: 'x' } });
  expect(await findAll(store, 'smith')).toEqual([]);
  expect(await findAll(store, 'jones')).toEqual(['w1']);
  await store.waivers.update('p1', 'w1', { answers: { email: null } });
  expect(await findAll(store, 'anna@')).toEqual([]);
  expect(await findAll(store, 'anna', { state: 'voided' })).toEqual([]);
  await store.waivers.void('p1', 'w1');
  expect(await findAll(store, 'anna', { state: 'voided' })).toEqual(['w1']);
  await query(`update waiver set answers = '{}' where id = 'w1'`);
  expect(await query('select key from waiver_search')).toEqual([]);
  await query(`update waiver set answers = '{"name":"Anna"}' where id = 'w1'`);
  await query(`delete from waiver where id = 'w1'`);
  expect(await query('select key from waiver_search')).toEqual([]);
});

test('a search keeps to its pool, and refuses a cursor that it did not give out', async () => {
  const { store } = await openWithPool();
  await store.pools.put({ id: 'p2', name: 'Two' });
  await sign(
    store,
    { name: 'Anna', email: 'anna@example.com' },
    { id: 'theirs', pool: 'p2', bookingId: null },
  );
  for (const text of ['anna', 'anna@example.com', 'theirs']) expect(await findAll(store, text)).toEqual([]);
  const list = await store.waivers.list('p2', { limit: 1 });
  expect(list.next).toBeNull();
  for (const cursor of [
    'x',
    ...['["x","0","",""]', '["id","x","",""]', '["id","0",""]'].map((each) =>
      Buffer.from(each).toString('base64url'),
    ),
  ]) {
    await expect(store.waivers.search('p1', { text: 'a', limit: 1, cursor })).rejects.toThrow(
      MalformedCursor,
    );
  }
});

test('a page looks at a limited number of keys, and leads on to the next', async () => {
  const { store, query } = await openWithPool();
  // None of the Annas is a Zoe, and both words are as frequent.
  await query(`insert into waiver (pool, id, version, activities, last_visit, last_visit_source, answers, content_hash,
      created_at, updated_at)
    select 'p1', 'w' || n, 1, '{}', now(), 'created', json_build_object('name', w.name || ' ' || n), '', now(), now()
    from generate_series(1, 6000) n cross join lateral (select case n % 2 when 0 then 'Anna' else 'Zoe' end) w (name)`);
  await sign(store, { name: 'Zoe Annabel' }, { id: 'last' });
  const first = await store.waivers.search('p1', { text: 'anna zoe', limit: 10 });
  expect(first).toMatchObject({ items: [], next: expect.any(String) });
  expect(await findAll(store, 'anna zoe')).toEqual(['last']);
  expect((await findAll(store, 'an', { limit: 100 })).length).toBe(3_001);
});

const nameParts = [
  'Anna',
  'Änna',
  'ann',
  'Bo',
  'Smith',
  'Smithson',
  "O'Neil",
  'Jean-Luc',
  'Łuk',
  'Müller',
  'X',
];
const name = fc
  .array(fc.constantFrom(...nameParts), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(' '));
const email = fc.option(fc.constantFrom('anna@a.example', 'Ann@b.example', 'smith.anna@a.example'));
const textOfSearch = fc.oneof(
  fc
    .array(
      fc
        .tuple(fc.constantFrom(...nameParts), fc.integer({ min: 1, max: 8 }))
        .map(([part, end]) => part.slice(0, end)),
      { minLength: 1, maxLength: 3 },
    )
    .map((words) => words.join(' ')),
  fc.constantFrom('ann', 'anna@', 'smith.anna@a.example', 'w3', 'bk1', '', '.'),
);

const fold = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ł', 'l').trim();
const wordsOf = (text: string) =>
  fold(text)
    .replaceAll("'", '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

interface Guest {
  readonly id: string;
  readonly bookingId: string | null;
  readonly name: string;
  readonly email: string | null;
}

/** The search as a person would describe it. */
function isFoundBy(text: string, guest: Guest): boolean {
  const words = wordsOf(text);
  const nameWords = wordsOf(guest.name);
  return (
    (words.length > 0 &&
      !text.includes('@') &&
      words.every((word) => nameWords.some((each) => each.startsWith(word)))) ||
    (fold(text) !== '' && guest.email !== null && fold(guest.email).startsWith(fold(text))) ||
    guest.id === text ||
    guest.bookingId === text
  );
}

test('a search finds each waiver once that a plain comparison finds, whatever the size of the pages', async () => {
  const { store, query } = await openWithPool();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(name, email, fc.constantFrom(null, 'bk1', 'bk2')), { minLength: 1, maxLength: 12 }),
      fc.array(textOfSearch, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(1, 2, 5, 100),
      async (given, texts, limit) => {
        await query('delete from waiver');
        await query('delete from waiver_id');
        const guests = given.map(([guestName, guestEmail, bookingId], place): Guest => {
          return { id: `w${place}`, bookingId, name: guestName, email: guestEmail };
        });
        await Promise.all(
          guests.map(({ id, bookingId, ...answers }) =>
            sign(store, answers, { id, bookingId, bookingSystem: bookingId === null ? null : 'standard' }),
          ),
        );
        for (const text of texts) {
          const expected = guests.filter((guest) => isFoundBy(text, guest)).map(({ id }) => id);
          expect((await findAll(store, text, { limit })).toSorted(), text).toEqual(expected.toSorted());
        }
      },
    ),
    { numRuns: 8 },
  );
});

test('lists are by the oldest or the newest change, and of one state', async () => {
  const { store } = await openWithPool();
  for (const id of ['w1', 'w2', 'w3']) await sign(store, { name: id }, { id });
  await sign(store, { name: 'w4' }, { id: 'w4', currentPage: 'two' });
  await store.waivers.void('p1', 'w1');
  const idsOf = async (request: Omit<Parameters<Store['waivers']['list']>[1], 'limit'>) => {
    const first = await store.waivers.list('p1', { limit: 2, ...request });
    const rest =
      first.next === null
        ? []
        : (await store.waivers.list('p1', { limit: 9, ...request, cursor: first.next })).items;
    return [...first.items, ...rest].map(({ id }) => id);
  };
  expect(await idsOf({})).toEqual(['w2', 'w3', 'w4', 'w1']);
  expect(await idsOf({ order: 'newest' })).toEqual(['w1', 'w4', 'w3', 'w2']);
  expect(await idsOf({ state: 'signed', order: 'newest' })).toEqual(['w3', 'w2']);
  expect(await idsOf({ state: 'unfinished' })).toEqual(['w4']);
  expect(await idsOf({ state: 'voided' })).toEqual(['w1']);
});

test('held records are listed by both orders', async () => {
  const { store, query } = await openWithPool();
  await sign(store, { name: 'first' }, { id: 'first' });
  await query(`insert into waiver_id (id, pool) select 'other-' || n, 'p1' from generate_series(1, 12) n`);
  await query(`insert into waiver select (jsonb_populate_record(w, jsonb_build_object('id', 'other-' || n))).*
    from waiver w cross join generate_series(1, 12) n where w.id = 'first'`);
  await sign(store, { name: 'last' }, { id: 'last' });
  for (const id of ['first', 'other-9', 'last'])
    await store.holds.place('p1', id, { reason: 'a claim', by: 'admin-token' });
  await store.waivers.void('p1', 'last');
  const pagesOf = async (order: 'oldest' | 'newest', limit: number) => {
    const pages: string[][] = [];
    for (let cursor: string | undefined; pages.length < 9; ) {
      const request = { state: 'held', order, limit, cursor } as const;
      const { items, next } = await store.waivers.list('p1', request);
      pages.push(items.map(({ id }) => id));
      if (next === null) return pages;
      cursor = next;
    }
    throw new Error('the list has no end');
  };
  expect(await pagesOf('oldest', 9)).toEqual([['first', 'other-9', 'last']]);
  expect(await pagesOf('oldest', 1)).toEqual([['first'], ['other-9'], ['last']]);
  expect(await pagesOf('newest', 9)).toEqual([['last', 'other-9', 'first']]);
  expect((await store.waivers.search('p1', { text: 'la', state: 'held', limit: 9 })).items).toHaveLength(1);
  await store.holds.release('p1', 'last');
  expect((await store.waivers.search('p1', { text: 'la', state: 'held', limit: 9 })).items).toEqual([]);
});

test('names are folded as nameKey folds them', async () => {
  const { query } = await openWithPool();
  const [letters, separators] = [
    fc.constantFrom(...'aZéßẞøŁœÞİıĞñçÅΣςώЙёЇ李한が'),
    fc.constantFrom(' ', '  ', '\u00a0', '-', '–', "'", '’', '\u02bc', '\u200b', ', ', '.'),
  ];
  const names = fc.sample(
    fc
      .array(fc.oneof({ weight: 4, arbitrary: letters }, separators), { maxLength: 12 })
      .map((parts) => parts.join('')),
    500,
  );
  names.push('Anna\u00a0Smith', 'O’Neil', 'STRASSER GROß', 'İPEK', 'مُحَمَّد', 'שָׁלוֹם', 'пятый');
  const rows = await query(
    `select array_to_string(search_words(n), ' ') as folded from unnest($1::text[]) with ordinality k (n, place) order by place`,
    [names],
  );
  expect(rows.map(({ folded }) => folded)).toEqual(names.map(nameKey));
});
