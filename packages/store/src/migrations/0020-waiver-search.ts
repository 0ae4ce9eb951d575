import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// PostgreSQL's `lower` depends on the locale of the database, and the keys of an index must not. Capital letters that do
// not decompose into a base letter and marks, then the same letters in lower case.
const capitals =
  'ØŁĐÐĦŦƏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐҒҚҢҮҰҺԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ';
const small =
  'øłđðħŧəαβγδεζηθικλμνξοπρστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґғқңүұһաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ';
// Letters that people without them on the keyboard write by others.
const special = 'øłđðħŧıς';
const plain = 'olddhtiσ';

const statements = [
  // Marks are removed where they belong to letters of the Latin, Greek, Cyrillic, Hebrew and Arabic scripts. Elsewhere
  // they tell words apart.
  sql`create function folded_text(given text) returns text
    language plpgsql immutable strict parallel safe as $$
    declare
      folded text := left(given, 500);
    begin
      if folded ~ '[^\\x01-\\x7f]' and getdatabaseencoding() = 'UTF8' then
        folded := regexp_replace(folded, '[\\u00b4\\u02b9-\\u02bf\\u2018\\u2019\\u200b-\\u200f\\u2060\\ufeff]', '', 'g');
        folded := regexp_replace(normalize(folded, NFKD),
          '[\\u0300-\\u036f\\u0591-\\u05bd\\u064b-\\u065f\\u0670]', '', 'g');
        folded := translate(translate(folded, ${sql.lit(capitals)}, ${sql.lit(small)}),
          ${sql.lit(special)}, ${sql.lit(plain)});
        folded := replace(replace(replace(replace(replace(replace(replace(replace(folded,
          'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th');
        folded := regexp_replace(folded,
          '[\\u0080-\\u00bf\\u00d7\\u00f7\\u2000-\\u206f\\u3000-\\u3004\\u3008-\\u3020\\u3030]', ' ', 'g');
      end if;
      return lower(folded collate "C");
    end $$`,
  // Joins "O'Brien" to one word, splits "Jean-Luc" into two.
  sql`create function search_words(given text) returns text[]
    language plpgsql immutable strict parallel safe as $$
    begin
      return array_remove(string_to_array(regexp_replace(translate(folded_text(given), '''\`', ''),
        '[\\x01-\\x2f\\x3a-\\x60\\x7b-\\x7f]+', ' ', 'g'), ' '), '');
    end $$`,
  // The name once for each of its words, that one first; and the e-mail address, behind an @.
  sql`create function waiver_search_keys(answers text) returns text[]
    language plpgsql immutable strict parallel safe as $$
    declare
      given json := answers::json;
      email text := folded_text(trim(given ->> 'email'));
      words text[] := (search_words(given ->> 'name'))[1:8];
      keys text[] := '{}';
    begin
      for place in 1 .. coalesce(array_length(words, 1), 0) loop
        keys := keys || left(array_to_string(words[place:] || words[:place - 1], ' '), 250);
      end loop;
      if email <> '' then keys := keys || ('@' || left(email, 250)); end if;
      return keys;
    end $$`,
  sql`create table waiver_search (
    pool text not null,
    key text collate "C" not null,
    id text collate "C" not null,
    primary key (pool, key, id)
  ) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02)`,

  // Triggers, so that hosts of the former version that run beside this one write the keys as well. By statement, since
  // one statement stores many waivers.
  sql`create function add_waiver_search() returns trigger language plpgsql as $$
    begin
      insert into waiver_search (pool, key, id)
      select n.pool, k.key, n.id from added n cross join lateral unnest(waiver_search_keys(n.answers)) k (key)
      on conflict do nothing;
      return null;
    end $$`,
  sql`create function change_waiver_search() returns trigger language plpgsql as $$
    begin
      with answered as materialized (
        select n.pool, n.id, waiver_search_keys(o.answers) as former, waiver_search_keys(n.answers) as next
        from removed o join added n on n.pool = o.pool and n.id = o.id
        where o.answers <> n.answers
          and (o.answers::json ->> 'name', o.answers::json ->> 'email')
            is distinct from (n.answers::json ->> 'name', n.answers::json ->> 'email')),
      gone as (
        delete from waiver_search s using answered a cross join lateral unnest(a.former) k (key)
        where s.pool = a.pool and s.key = k.key and s.id = a.id and k.key <> all (a.next))
      insert into waiver_search (pool, key, id)
      select a.pool, k.key, a.id from answered a cross join lateral unnest(a.next) k (key)
      on conflict do nothing;
      return null;
    end $$`,
  sql`create function remove_waiver_search() returns trigger language plpgsql as $$
    begin
      delete from waiver_search s using removed o cross join lateral unnest(waiver_search_keys(o.answers)) k (key)
      where s.pool = o.pool and s.key = k.key and s.id = o.id;
      return null;
    end $$`,
  sql`create trigger add_waiver_search after insert on waiver
    referencing new table as added for each statement execute function add_waiver_search()`,
  sql`create trigger change_waiver_search after update on waiver
    referencing old table as removed new table as added for each statement execute function change_waiver_search()`,
  sql`create trigger remove_waiver_search after delete on waiver
    referencing old table as removed for each statement execute function remove_waiver_search()`,

  // How far a background job has come with the waivers from before.
  sql`create table waiver_search_progress (
    pool text not null default '',
    id text collate "C" not null default '',
    done boolean not null
  )`,
  sql`insert into waiver_search_progress (done) select not exists (select from waiver)`,
];

/** Search of waivers by the guest's name and e-mail address; lists of those that are not signed. */
export const waiverSearch: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};
