import type { Page, PageRequest } from '@waiver-service/database';
import {
  decodeCursor,
  encodeCursor,
  limitPageBytes,
  MalformedCursor,
  type PagedRow,
} from '@waiver-service/database';
import type { WaiverRecord } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { conditionsOf, isOfBooking, type WaiverFilter } from './list-waivers.ts';
import { recordOf, rowBytes, type WaiverRow, waiverColumns } from './waiver-rows.ts';

/*
 * The table `waiver_search` has keys of each waiver, folded: without case, accents or punctuation (see
 * `waiver-search.ts` of the baseline). Triggers write them in the waiver's own statement.
 *
 *   smith anna              the name, once for each of its words with that word first
 *   @anna@example.com       the e-mail address
 *
 * A search goes through stages, each of which finds what those before it did not:
 *
 *   id       the waiver, or the waivers of the booking, that has the text as its id
 *   email    keys that begin with the text as an e-mail address
 *   phrase   keys that begin with the text as it is: nearly always the intended ones, however frequent its words are
 *   words    keys that begin with the rarest word of the text, and have the others
 *
 * A stage reads its keys in order. A waiver with several of them is found by the first.
 */

const stages = ['id', 'email', 'phrase', 'words'] as const;
type Stage = (typeof stages)[number];

/** A search of a pool's records. */
export interface WaiverSearchRequest extends PageRequest, WaiverFilter {
  readonly text: string;
}

interface Query {
  readonly pool: string;
  readonly text: string;
  /** The prefix of the keys that each stage reads; null if it reads none. */
  readonly beginnings: { readonly [Each in Exclude<Stage, 'id'>]: string | null };
  readonly words: readonly string[];
  /** The index of the rarest word. */
  readonly rarest: number;
}

/** An examined key, and whether its waiver is found by it. */
interface Candidate {
  readonly key: string;
  readonly id: string;
  readonly found: boolean;
}

interface Position {
  readonly stage: Stage;
  readonly key: string;
  readonly id: string;
}

// Enough to tell a rare word from a frequent one, among as many words as a name is indexed by.
const maxCounted = 1_000;
const maxCountedWords = 8;
// The maximum length of a key.
const maxLength = 250;

// The keys examined in each read of a page. Their sum limits a page, so that no search takes longer than others. Most
// pages are full after the first read.
const keysPerRead = [128, 512, 2_048];

// A page ends early if the database is slow.
const maxPageMs = 1_000;

// Appended to a text, sorts after every text that begins with it.
const last = '\u{10ffff}';

const beginsWith = (key: RawBuilder<unknown>, beginning: RawBuilder<unknown>) =>
  sql`${key} >= ${beginning} and ${key} < ${beginning} || ${last}`;

const rarestOf = (words: readonly string[], counts: readonly number[]): number => {
  const places = words.map((_, place) => place);
  const rarity = (place: number) => counts[place] ?? maxCounted;
  const [rarest = 0] = places.toSorted((one, other) => rarity(one) - rarity(other));
  return rarest;
};

/**
 * Folds the text of a search, and finds its rarest word.
 *
 * @param rarest the index of that word, known on later pages.
 */
async function prepareQuery(database: Database, pool: string, text: string, rarest?: number): Promise<Query> {
  const { rows } = await sql<{ email: string; words: string[]; counts: number[] }>`
select folded_text(trim(${text}::text)) as email, q.words, array(
  select (select count(*)::integer from (
    select from waiver_search s
    where s.pool = ${pool} and ${beginsWith(sql`s.key`, sql`u.word`)} limit ${maxCounted}) c)
  from unnest(q.words) with ordinality u (word, place)
  where ${rarest === undefined} and array_length(q.words, 1) > 1 and u.place <= ${maxCountedWords}
  order by u.place) as counts
from (select case when strpos(${text}, '@') = 0 then search_words(left(${text}, ${maxLength})) else '{}' end) q (words)`.execute(
    database,
  );
  const { email = '', words = [], counts = [] } = rows[0] ?? {};
  const place = rarest ?? rarestOf(words, counts);
  return {
    pool,
    text: text.trim(),
    beginnings: {
      email: email === '' ? null : `@${email}`,
      phrase: words.length > 1 ? words.join(' ') : null,
      words: words[place] ?? null,
    },
    words,
    rarest: place,
  };
}

const hasAllWords = (key: RawBuilder<unknown>, { words }: Query) => sql`not exists (
  select from unnest(${words}::text[]) o (word) where strpos(' ' || ${key}, ' ' || o.word) = 0)`;

/** Whether a stage finds the waiver `w` by its key. */
function isFound(stage: Exclude<Stage, 'id'>, key: RawBuilder<unknown>, query: Query): RawBuilder<unknown> {
  const begins = beginsWith(key, sql`${query.beginnings[stage]}::text`);
  return stage === 'words' ? sql`${begins} and ${hasAllWords(key, query)}` : begins;
}

/** Whether the waiver `w` has the text as its id, or as that of its booking. */
const hasId = ({ pool, text }: Query) => sql`(w.id = ${text} or ${isOfBooking(pool, text)})`;

/** Whether a stage finds the waiver `w` by this key, and neither an earlier key nor an earlier stage does. */
function isFirst(stage: Exclude<Stage, 'id'>, key: RawBuilder<unknown>, query: Query): RawBuilder<unknown> {
  const own = sql`k.key collate "C"`;
  const earlier = (['email', 'phrase', 'words'] as const)
    .slice(0, stages.indexOf(stage) - 1)
    .map((each) => sql`(${isFound(each, own, query)}) is true`);
  return sql`${hasId(query)} is not true and not exists (
    select from unnest(w.search_keys) k (key)
    where ${sql.join([...earlier, sql`(${own} < ${key} and ${isFound(stage, own, query)})`], sql` or `)})
    and ${key} = any (w.search_keys)`;
}

/**
 * The keys from a text on, or those after a position. Only one condition: with both, an index scan would start at the
 * position, however far before the text it is.
 */
function follows({ key, id }: Position, beginning: string): RawBuilder<unknown> {
  return key === '' ? sql`s.key >= ${beginning}::text` : sql`(s.key, s.id) > (${key}::text, ${id}::text)`;
}

/** Reads the next keys of a stage. */
async function readKeys(
  database: Database,
  query: Query,
  filter: WaiverFilter,
  after: Position,
  limit: number,
): Promise<readonly Candidate[]> {
  const conditions = sql.join(conditionsOf(query.pool, filter), sql` and `);
  if (after.stage === 'id') {
    const { rows } = await sql<Candidate>`
select '' as key, c.id, exists (select from waiver w where w.id = c.id and ${conditions}) as found
from (
  select w.id from waiver w where w.pool = ${query.pool} and w.id = ${query.text} and w.id > ${after.id}
  union
  (select w.id from waiver w
    where w.pool = ${query.pool} and ${isOfBooking(query.pool, query.text)} and w.id > ${after.id}
    order by w.id limit ${limit}::integer)) c
order by c.id limit ${limit}::integer`.execute(database);
    return rows;
  }
  const beginning = query.beginnings[after.stage];
  if (beginning === null) return [];
  const key = sql`c.key`;
  const { rows } = await sql<Candidate>`
with candidate as materialized (
  select s.key, s.id from waiver_search s
  where s.pool = ${query.pool} and ${follows(after, beginning)} and s.key < ${beginning}::text || ${last}
  order by s.key, s.id limit ${limit}::integer)
select c.key, c.id, exists (
  select from waiver w
  where ${isFound(after.stage, key, query)} and w.id = c.id and ${conditions}
    and ${isFirst(after.stage, key, query)}) as found
from candidate c order by c.key, c.id`.execute(database);
  return rows;
}

const firstOf = (stage: Stage): Position => ({ stage, key: '', id: '' });

const stageAfter = (stage: Stage): Stage | undefined => stages[stages.indexOf(stage) + 1];

/** Reads keys until a page is full, no keys are left, or the page has reached its limit of keys or time. */
async function findWaivers(database: Database, query: Query, request: WaiverSearchRequest, from: Position) {
  const { cursor: _cursor, limit, text: _text, ...filter } = request;
  const found: Position[] = [];
  let position = from;
  let reads = 0;
  const endsAt = performance.now() + maxPageMs;
  while (found.length <= limit && reads < keysPerRead.length && performance.now() < endsAt) {
    const keys = keysPerRead[reads] ?? 0;
    const candidates = await readKeys(database, query, filter, position, keys);
    const { stage } = position;
    found.push(...candidates.flatMap((each) => (each.found ? { stage, key: each.key, id: each.id } : [])));
    const lastRead = candidates.at(-1);
    if (lastRead !== undefined) position = { stage, key: lastRead.key, id: lastRead.id };
    if (candidates.length === keys) {
      reads += 1;
      continue;
    }
    const next = stageAfter(stage);
    if (next === undefined) return { found, isEnd: true, position };
    position = firstOf(next);
  }
  return { found, isEnd: false, position };
}

/** Reads records in a given order, only as many as fit the size of a page. */
async function readRecords(database: Database, pool: string, ids: readonly string[]) {
  const found = sql`
select w.*, k.place from unnest(${ids}::text[]) with ordinality k (id, place)
join waiver w on w.pool = ${pool} and w.id = k.id and w.erasure is null`;
  const page = limitPageBytes(found, { order: sql`r.place`, bytes: rowBytes, limit: ids.length });
  const { rows } = await sql<WaiverRow & PagedRow>`
select ${waiverColumns}, w.more from (${page}) w order by w.page_place`.execute(database);
  return { records: rows.map(({ more, ...row }) => recordOf(row)), isCut: rows.at(-1)?.more === true };
}

const cursorOf = ({ rarest }: Query, { stage, key, id }: Position) =>
  encodeCursor([stage, String(rarest), key, id]);

/** Parses the `next` of a page. @throws MalformedCursor */
function positionOf(cursor: string): Position & { readonly rarest: number } {
  const [named, rarest = '', key = '', id = ''] = decodeCursor(cursor, 4);
  const stage = stages.find((each) => each === named);
  if (stage === undefined || !/^\d{1,3}$/.test(rarest)) throw new MalformedCursor();
  return { stage, rarest: Number(rarest), key, id };
}

/**
 * Finds a pool's records by their id, their booking's id, the beginning of the e-mail address, or the name, if each word
 * of the text begins one of its words. Text with an @ is not searched in names. Ids are listed first, then e-mail
 * addresses, names that begin with the text, and other names, each alphabetically. A page may have fewer records than its
 * limit, even none, and still have a `next`.
 *
 * @throws MalformedCursor
 */
export async function searchWaivers(
  database: Database,
  pool: string,
  request: WaiverSearchRequest,
): Promise<Page<WaiverRecord>> {
  const { limit, cursor, text } = request;
  const from = cursor === undefined ? undefined : positionOf(cursor);
  const query = await prepareQuery(database, pool, text, from?.rarest);
  const { found, isEnd, position } = await findWaivers(database, query, request, from ?? firstOf('id'));
  const shown = found.slice(0, limit);
  const { records, isCut } = await readRecords(
    database,
    pool,
    shown.map(({ id }) => id),
  );
  const lastShown = isCut ? shown.find(({ id }) => id === records.at(-1)?.id) : shown.at(-1);
  const isMore = isCut || found.length > limit;
  const after = isMore ? lastShown : isEnd ? undefined : position;
  return {
    items: records,
    next: after === undefined ? null : cursorOf(query, after),
  };
}
