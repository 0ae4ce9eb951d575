import { type RawBuilder, sql } from 'kysely';

/**
 * A stored response as `json`. Text of a partner may hold what PostgreSQL's cannot, NUL and lone surrogates: these become
 * U+FFFD here, and stay in what is stored. Nothing else was escaped so when it was stored.
 */
export const responseJson = (fetched: RawBuilder<unknown>): RawBuilder<unknown> => sql`
(case when strpos(${fetched}, '\\u') = 0 then ${fetched}
  else regexp_replace(${fetched}, '\\\\u(0000|d[89a-f]..)', '\\ufffd', 'g') end)::json`;

/** A hash of the part of a response, as `json`, that the booking's waivers follow. */
export const followedHash = (response: RawBuilder<unknown>): RawBuilder<string> => sql`
hashtextextended(concat(${response} #> '{booking,bookedSessions}', ' ', ${response} #> '{booking,guests}'), 0)`;
