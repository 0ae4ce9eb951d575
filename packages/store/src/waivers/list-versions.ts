import type { WaiverVersion } from '@waiver-service/api';
import type { Page, PageRequest } from '@waiver-service/database';
import {
  decodeCursor,
  limitPageBytes,
  MalformedCursor,
  omitNulls,
  type PagedRow,
  pageOfBytes,
} from '@waiver-service/database';
import type { AnswerChange, FieldChange } from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

interface Row extends PagedRow {
  readonly version: number;
  readonly formerVersion: number;
  readonly at: Date;
  readonly actor: string | null;
  readonly actorName: string | null;
  readonly fields: readonly FieldChange[] | null;
  readonly answers: Readonly<Record<string, AnswerChange>> | null;
}

function versionBefore(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const [version = ''] = decodeCursor(cursor, 1);
  if (!/^\d{1,9}$/.test(version)) throw new MalformedCursor();
  return Number(version);
}

const versionOf = ({ more: _, fields, answers, ...row }: Row): WaiverVersion => ({
  ...omitNulls(row, 'actor', 'actorName'),
  fields: [...(fields ?? [])],
  answers: Object.entries(answers ?? {}).map(([name, change]) => ({ name, ...change })),
});

/**
 * Lists the versions of a waiver, newest first, except those stored by builds that did not record versions.
 *
 * @throws MalformedCursor
 */
export async function versionsOf(
  database: Database,
  pool: string,
  id: string,
  { cursor, limit }: PageRequest,
): Promise<Page<WaiverVersion>> {
  const before = versionBefore(cursor);
  const found = sql`
select v.* from waiver_version v
where v.pool = ${pool} and v.waiver_id = ${id} and (${before}::integer is null or v.version < ${before}::integer)
order by v.version desc limit ${limit + 1}`;
  const page = limitPageBytes(found, {
    order: sql`r.version desc`,
    bytes: sql`coalesce(octet_length(r.answer_changes), 0) + coalesce(octet_length(r.field_changes), 0) + 256`,
    limit,
  });
  const { rows } = await sql<Row>`
select v.version, v.former_version, v.at, v.actor, coalesce(v.actor_name, t.name) as actor_name,
  v.field_changes::json as fields, v.answer_changes::json as answers, v.more
from (${page}) v left join access_token t on 'access-token:' || t.id = v.actor
order by v.version desc`.execute(database);
  return pageOfBytes(rows, ({ version }) => [String(version)], versionOf);
}
