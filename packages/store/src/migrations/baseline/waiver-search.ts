// PostgreSQL's "lower" depends on the locale of the database, and index keys must not. Capital letters that do not
// decompose into a base letter and marks, then the same letters in lower case.
const capitals =
  'ØŁĐÐĦŦƏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐҒҚҢҮҰҺԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ';
const small =
  'øłđðħŧəαβγδεζηθικλμνξοπρστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґғқңүұһաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ';
// Letters that people without them on the keyboard replace with others.
const special = 'øłđðħŧıς';
const plain = 'olddhtiσ';

/** The words and keys by which guests are searched. */
export const searchFunctions = String.raw`
-- Marks are removed from Latin, Greek, Cyrillic, Hebrew and Arabic letters. Elsewhere they distinguish words.
create function folded_text(given text) returns text
  language plpgsql immutable strict parallel safe as $$
  declare
    folded text := left(given, 500);
  begin
    if folded ~ '[^\x01-\x7f]' and getdatabaseencoding() = 'UTF8' then
      folded := regexp_replace(folded, '[\u00b4\u02b9-\u02bf\u2018\u2019\u200b-\u200f\u2060\ufeff]', '', 'g');
      folded := regexp_replace(normalize(folded, NFKD),
        '[\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670]', '', 'g');
      folded := translate(translate(folded, '${capitals}', '${small}'),
        '${special}', '${plain}');
      folded := replace(replace(replace(replace(replace(replace(replace(replace(folded,
        'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th');
      folded := regexp_replace(folded,
        '[\u0080-\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u3004\u3008-\u3020\u3030]', ' ', 'g');
    end if;
    return lower(folded collate "C");
  end $$;
-- Joins "O'Brien" into one word, splits "Jean-Luc" into two. The character 96 is the backtick.
create function search_words(given text) returns text[]
  language plpgsql immutable strict parallel safe as $$
  begin
    return array_remove(string_to_array(regexp_replace(translate(folded_text(given), '''' || chr(96), ''),
      '[\x01-\x2f\x3a-\x60\x7b-\x7f]+', ' ', 'g'), ' '), '');
  end $$;
-- The name once for each of its words, with that word first; and the e-mail address, after an @.
create function waiver_search_keys(answers text) returns text[]
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
  end $$;
`;

/** The search for waivers by a guest's name and e-mail address. */
export const waiverSearch = `
-- Beside the record, so that a search need not parse records. Not a generated column: a dump would be restored without the
-- search path that the function needs.
alter table waiver add column search_keys text[] not null default '{}';
create function set_search_keys() returns trigger
  language plpgsql set search_path from current as $$
  begin
    new.search_keys := waiver_search_keys(new.answers);
    return new;
  end $$;
create trigger set_search_keys before insert on waiver for each row execute function set_search_keys();
create trigger change_search_keys before update on waiver for each row when (old.answers <> new.answers)
  execute function set_search_keys();

create table waiver_search (
  pool text not null,
  key text collate "C" not null,
  id text collate "C" not null,
  primary key (pool, key, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- By statement, since one statement stores many waivers.
create function add_waiver_search() returns trigger
  language plpgsql set search_path from current as $$
  begin
    insert into waiver_search (pool, key, id)
    select n.pool, k.key, n.id from added n cross join lateral unnest(n.search_keys) k (key)
    on conflict do nothing;
    return null;
  end $$;
create trigger add_waiver_search after insert on waiver
  referencing new table as added for each statement execute function add_waiver_search();
create function change_waiver_search() returns trigger
  language plpgsql set search_path from current as $$
  begin
    with answered as materialized (
      select n.pool, n.id, o.search_keys as former, n.search_keys as next
      from removed o join added n on n.pool = o.pool and n.id = o.id
      where o.search_keys <> n.search_keys),
    gone as (
      delete from waiver_search s using answered a cross join lateral unnest(a.former) k (key)
      where s.pool = a.pool and s.key = k.key and s.id = a.id and k.key <> all (a.next))
    insert into waiver_search (pool, key, id)
    select a.pool, k.key, a.id from answered a cross join lateral unnest(a.next) k (key)
    on conflict do nothing;
    return null;
  end $$;
create trigger change_waiver_search after update on waiver
  referencing old table as removed new table as added for each statement execute function change_waiver_search();
create function remove_waiver_search() returns trigger
  language plpgsql set search_path from current as $$
  begin
    delete from waiver_search s using removed o cross join lateral unnest(o.search_keys) k (key)
    where s.pool = o.pool and s.key = k.key and s.id = o.id;
    return null;
  end $$;
create trigger remove_waiver_search after delete on waiver
  referencing old table as removed for each statement execute function remove_waiver_search();
`;
