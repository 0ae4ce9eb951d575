import type { AuditEntry, AuditEntryFilter } from '@waiver-service/api';
import type { Page, PageRequest, RowOf } from '@waiver-service/database';
import { decodeUuidCursor, idAfter, idBefore, omitNulls, pageById } from '@waiver-service/database';
import { inPools } from '@waiver-service/store/features';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { PeopleContext } from './tables.ts';

/** A request by a person or a key. */
export interface AuditedRequest {
  /** Such as `admin-token`, `credential:<id>` or `install-key:<id>`. */
  readonly actor: string;
  /** The actor's name at the time. */
  readonly name: string | null;
  /** Such as `webhook.create`. */
  readonly action: string;
  readonly pool: string | null;
  /** The id of its subject. */
  readonly target: string | null;
  readonly requestId: string;
  readonly address: string;
}

export interface AuditedOutcome {
  /** Of the response. */
  readonly status: number;
  /** If the request created it, known only at the end. */
  readonly target: string | null;
}

/** The filter of a list of entries: of all pools if none are given. */
export interface AuditFilter extends AuditEntryFilter {
  readonly pools?: readonly string[] | undefined;
  /** Whether entries that belong to no pool are left out. */
  readonly ofPoolsOnly: boolean;
}

/** Who did what. The database refuses to change or delete entries, except when they are pruned. */
export interface AuditLog extends ReturnType<typeof createAuditLog> {}

function conditionsOf(filter: AuditFilter, cursor: string | undefined): RawBuilder<unknown> {
  const { pools, ofPoolsOnly, actor, action, target, since, until } = filter;
  const conditions: RawBuilder<boolean>[] = [inPools(sql`pool`, pools)];
  if (ofPoolsOnly) conditions.push(sql`pool is not null`);
  if (actor !== undefined) conditions.push(sql`(actor = ${actor} or lower(name) = lower(${actor}))`);
  if (action !== undefined) {
    conditions.push(sql`(action = ${action} or starts_with(action, ${action}::text || '.'))`);
  }
  if (target !== undefined) conditions.push(sql`strpos(target, ${target}::text) > 0`);
  if (since !== undefined) conditions.push(sql`at >= ${since} and id >= ${idBefore(since)}::uuid`);
  if (until !== undefined) conditions.push(sql`at < ${until} and id <= ${idAfter(until)}::uuid`);
  const before = decodeUuidCursor(cursor);
  if (before !== undefined) conditions.push(sql`id < ${before}::uuid`);
  return sql.join(conditions, sql` and `);
}

/** Text of a request that was not validated may contain characters that PostgreSQL's text cannot. */
const storable = (text: string | null) => text?.replaceAll('\u0000', '\uFFFD').toWellFormed() ?? null;

export function createAuditLog({ database }: PeopleContext) {
  async function insert(request: AuditedRequest, status: number | null): Promise<string> {
    const { actor, name, action, pool, target, requestId, address } = request;
    const id = uuidv7();
    await database
      .insertInto('auditEntry')
      .values({
        id,
        actor,
        name,
        action,
        pool: storable(pool),
        target: storable(target),
        requestId,
        address,
        status,
      })
      .execute();
    return id;
  }
  return {
    /** Records a request before it is carried out, so that nothing is done without an entry. @returns the entry's id */
    begin: (request: AuditedRequest): Promise<string> => insert(request, null),
    /** Records how a request ended. Rejects if that is recorded already. */
    async end(id: string, { status, target }: AuditedOutcome): Promise<void> {
      await database
        .updateTable('auditEntry')
        .set({ status, target: storable(target) })
        .where('id', '=', id)
        .execute();
    },
    /** Records a request that has ended. */
    async add(request: AuditedRequest, { status, target }: AuditedOutcome): Promise<void> {
      await insert({ ...request, target }, status);
    },
    /** Newest first. @throws MalformedCursor */
    async list(filter: AuditFilter, { limit, cursor }: PageRequest): Promise<Page<AuditEntry>> {
      const { rows } = await sql<RowOf<AuditEntry>>`
select id, at, actor, name as actor_name, action, pool, target, request_id, address, status from audit_entry
where ${conditionsOf(filter, cursor)} order by id desc limit ${limit + 1}::integer`.execute(database);
      const entries = rows.map((row) => omitNulls(row, 'actorName', 'pool', 'target', 'status'));
      return pageById(entries, limit);
    },
  };
}
