import type { WaiverRecord } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { decodeCursor, encodeCursor, MalformedCursor } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import { limitPageBytes, type PagedRow } from '../pages/page-bytes.ts';
import { conditionsOf, isOfBooking, type WaiverFilter } from './list-waivers.ts';
import { recordOf, rowBytes, type WaiverRow, waiverColumns } from './waiver-columns.ts';

/*
 * The table `waiver_search` has keys of each waiver, folded: without case, accents and punctuation (see migration 0020).
 * Triggers write them in the waiver's own statement.
 *
 *   smith anna              the name, once for each of its words with that word first
 *   @anna@example.com       the e-mail address
 *
 * A search reads the keys that begin with its rarest word, in their order, and looks for its other words in the keys
 * themselves. A waiver can have several such keys; it is found by the first of them.
 */

/** A search of a pool's records. */
export interface WaiverSearchRequest extends PageRequest, WaiverFilter {
  readonly text: string;
}

/** A page of what a search found. */
export interface WaiverSearchPage extends Page<WaiverRecord> {
  /** Whether waivers from before an upgrade may be missing, because they are still being added to the search. */
  readonly incomplete: boolean;
}

interface Query {
  readonly pool: string;
  readonly text: string;
  /** The beginning of the keys that an e-mail address would have; null: there is none. */
  readonly email: string | null;
  readonly words: readonly string[];
  /** The place of the word that leads to the keys. */
  readonly leading: number;
}

/** A key that was looked at, and whether its waiver is found by it. */
interface Candidate {
  readonly key: string;
  readonly id: string;
  readonly found: boolean;
}

interface Position {
  readonly key: string;
  readonly id: string;
}

// Enough to tell a rare word from a frequent one, among as many words as a name is searched by.
const maxCounted = 1_000;
const maxCountedWords = 8;

// Each page looks at no more keys than these together, so that no search takes longer than others. Most pages are full
// after the first.
const keysPerRead = [128, 512, 2_048];

// Sorts after every text that begins like the one before it.
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
 * @param leading the place of the word that the search began with, on a later page.
 */
async function prepareQuery(
  database: Database,
  pool: string,
  text: string,
  leading?: number,
): Promise<Query> {
  const { rows } = await sql<{ email: string; words: string[]; counts: number[] }>`
select folded_text(trim(${text}::text)) as email, q.words, array(
  select (select count(*)::integer from (
    select from waiver_search s
    where s.pool = ${pool} and ${beginsWith(sql`s.key`, sql`u.word collate "C"`)} limit ${maxCounted}) c)
  from unnest(q.words) with ordinality u (word, place)
  where ${leading === undefined} and array_length(q.words, 1) > 1 and u.place <= ${maxCountedWords}
  order by u.place) as counts
from (select array(
  select distinct left(w, 250) collate "C" from unnest(search_words(${text})) w
  where strpos(${text}, '@') = 0 order by 1)) q (words)`.execute(database);
  const { email = '', words = [], counts = [] } = rows[0] ?? {};
  return {
    pool,
    text: text.trim(),
    email: email === '' ? null : `@${email}`,
    words,
    leading: leading ?? rarestOf(words, counts),
  };
}

const leadingWord = ({ words, leading }: Query): string | null => words[leading] ?? null;

const hasAllWords = (key: RawBuilder<unknown>, { words }: Query) => sql`not exists (
  select from unnest(${words}::text[]) o (word) where strpos(' ' || ${key}, ' ' || o.word) = 0)`;

/** Whether the search finds a waiver by a key. */
const isFound = (key: RawBuilder<unknown>, query: Query) => sql`(
  (${beginsWith(key, sql`${leadingWord(query)}::text`)} and ${hasAllWords(key, query)})
  or (${beginsWith(key, sql`${query.email}::text`)}))`;

/** The waivers `w` that the text is the id of, or the id of their booking. */
const isIdOf = ({ pool, text }: Query) => sql`(w.id = ${text} or ${isOfBooking(pool, text)})`;

/** Reads the next keys from a position on: first those of ids, which are empty. */
async function readCandidates(
  database: Database,
  query: Query,
  filter: WaiverFilter,
  after: Position,
  limit: number,
): Promise<readonly Candidate[]> {
  const keysFrom = (beginning: string | null) => sql`(
    select s.key, s.id from waiver_search s
    where s.pool = ${query.pool} and ${beginsWith(sql`s.key`, sql`${beginning}::text`)}
      and (s.key, s.id) > (${after.key}, ${after.id})
    order by s.key, s.id limit ${limit}::integer)`;
  const byId = (isSame: RawBuilder<unknown>) => sql`(
    select w.id from waiver w where w.pool = ${query.pool} and ${isSame} and ${after.key} = '' and w.id > ${after.id}
    order by w.id limit ${limit}::integer)`;
  const { rows } = await sql<Candidate>`
with candidate as materialized (
  select key collate "C" as key, id from (
    select ''::text as key, id from (
      ${byId(sql`w.id = ${query.text}`)} union ${byId(isOfBooking(query.pool, query.text))}) i
    union all ${keysFrom(query.email)}
    union all ${keysFrom(leadingWord(query))}) c
  order by 1, 2 limit ${limit}::integer)
select c.key, c.id, exists (
  select from waiver w
  where (c.key = '' or ${isFound(sql`c.key`, query)}) and w.id = c.id
    and ${sql.join(conditionsOf(query.pool, filter), sql` and `)}
    and (c.key = '' or ${isIdOf(query)} is not true and c.key = (
      select min(k.key collate "C") from unnest(waiver_search_keys(w.answers)) k (key)
      where ${isFound(sql`k.key collate "C"`, query)}))) as found
from candidate c order by c.key, c.id`.execute(database);
  return rows;
}

/** Reads records in a given order; not all of them where they would be too large for one page. */
async function readRecords(database: Database, pool: string, ids: readonly string[]) {
  const found = sql`
select w.*, k.place from unnest(${ids}::text[]) with ordinality k (id, place)
join waiver w on w.pool = ${pool} and w.id = k.id`;
  const page = limitPageBytes(found, { order: sql`r.place`, bytes: rowBytes, limit: ids.length });
  const { rows } = await sql<WaiverRow & PagedRow>`
select ${waiverColumns}, w.more from (${page}) w order by w.page_place`.execute(database);
  return { records: rows.map(({ more, ...row }) => recordOf(row)), isCut: rows.at(-1)?.more === true };
}

function placeOf(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new MalformedCursor();
  return Number(text);
}

/** Whether all waivers from before the search existed have been added to it. */
export async function isSearchComplete(database: Database): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select done from waiver_search_progress`.execute(database);
  return rows[0]?.done === true;
}

/** Collects keys until a page is full, all were read, or it has looked at as many as a page may. */
async function findCandidates(
  database: Database,
  query: Query,
  request: WaiverSearchRequest,
  from: Position,
) {
  const { cursor: _cursor, limit, text: _text, ...filter } = request;
  const found: Candidate[] = [];
  let position = from;
  for (const keys of keysPerRead) {
    const candidates = await readCandidates(database, query, filter, position, keys);
    found.push(...candidates.filter((each) => each.found));
    position = candidates.at(-1) ?? position;
    if (candidates.length < keys) return { found, isEnd: true, position };
    if (found.length > limit) break;
  }
  return { found, isEnd: false, position };
}

/**
 * Finds a pool's records: by their id, by that of their booking, by how the e-mail address begins, or by the name: each
 * word of the text begins one of its words. A text with an @ is not looked for in names. Found ids come first, then
 * e-mail addresses and names by the alphabet. A page may have fewer records than its limit, even none, and still a next.
 *
 * @throws MalformedCursor
 */
export async function searchWaivers(
  database: Database,
  pool: string,
  request: WaiverSearchRequest,
): Promise<WaiverSearchPage> {
  const { limit, cursor, text } = request;
  const [leading, key = '', id = ''] = cursor === undefined ? [] : decodeCursor(cursor, 3);
  const [query, isComplete] = await Promise.all([
    prepareQuery(database, pool, text, leading === undefined ? undefined : placeOf(leading)),
    isSearchComplete(database),
  ]);
  const { found, isEnd, position } = await findCandidates(database, query, request, { key, id });
  const shown = found.slice(0, limit);
  const { records, isCut } = await readRecords(
    database,
    pool,
    shown.map((each) => each.id),
  );
  const nextAfter = (after: Position | undefined) =>
    after === undefined ? null : encodeCursor([String(query.leading), after.key, after.id]);
  const isMore = isCut || found.length > limit;
  const lastShown = isCut ? shown.find((each) => each.id === records.at(-1)?.id) : shown.at(-1);
  return {
    items: records,
    next: isMore ? nextAfter(lastShown) : nextAfter(isEnd ? undefined : position),
    incomplete: !isComplete,
  };
}
