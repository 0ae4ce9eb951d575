import { type RawBuilder, sql } from 'kysely';

/**
 * A stored response as `json`. A partner's text may contain NUL and lone surrogates, which PostgreSQL's text cannot: they
 * become U+FFFD here, but stay in the stored text. Nothing else is stored with such escapes.
 */
export const responseJson = (fetched: RawBuilder<unknown>): RawBuilder<unknown> => sql`
(case when strpos(${fetched}, '\\u') = 0 then ${fetched}
  else regexp_replace(${fetched}, '\\\\u(0000|d[89a-f]..)', '\\ufffd', 'g') end)::json`;

/** A hash of the part of a response, as `json`, that the booking's waivers follow. */
export const followedHash = (response: RawBuilder<unknown>): RawBuilder<string> => sql`
hashtextextended(concat(${response} #> '{booking,bookedSessions}', ' ', ${response} #> '{booking,guests}'), 0)`;
