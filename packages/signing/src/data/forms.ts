import {
  decodeCursor,
  idOfCursor,
  MalformedCursor,
  type Page,
  type PageRequest,
  pageById,
  pageOf,
  prepared,
} from '@waiver-service/database';
import type { Database, StoreContext } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { OwnTables } from './tables.ts';

/** A form of a pool, without its content. */
export interface FormSummary {
  readonly id: string;
  readonly name: string;
  /** The number of the newest version; null if none was published. */
  readonly published: number | null;
  /** Whether something was edited since. */
  readonly hasDraft: boolean;
  readonly archivedAt: Date | null;
}

/** A form with its draft. */
export interface Form extends FormSummary {
  /** JSON as it was stored, possibly incomplete; null if nothing was edited since the last version. */
  readonly draft: string | null;
}

/** A published version: it never changes. */
export interface FormVersion {
  readonly form: string;
  readonly formName: string;
  readonly version: number;
  /** JSON. */
  readonly content: string;
  /** SHA-256 of the canonical JSON, in hexadecimal. */
  readonly hash: string;
  readonly publishedBy: string;
  readonly publishedAt: Date;
}

/** A version to publish. */
export interface NewFormVersion extends Pick<FormVersion, 'content' | 'hash' | 'publishedBy'> {
  /** The draft that it was made from. */
  readonly draft: string;
}

/** The forms of pools. Contents are opaque text here; `packages/forms` defines their meaning. */
export interface Forms extends ReturnType<typeof createForms> {}

const maxForms = 100;
/** A pool has the maximum number of forms. */
export class TooManyForms extends Error {
  override readonly name = 'TooManyForms';
  constructor() {
    super(`a pool has at most ${maxForms} forms that are not archived`);
  }
}

const newest = sql`(select max(v.version) from form_version v where v.form = f.id)`;
const summaryColumns = sql`f.id, f.name, ${newest} as published, f.draft is not null as has_draft,
  f.archived_at`;
const versionColumns = sql`v.form, f.name as form_name, v.version, encode(v.hash, 'hex') as hash, v.published_by,
  v.published_at`;

function versionBefore(cursor: string | undefined): number {
  if (cursor === undefined) return 2 ** 31 - 1;
  const [text = ''] = decodeCursor(cursor, 1);
  if (!/^\d{1,9}$/.test(text)) throw new MalformedCursor();
  return Number(text);
}

async function createForm(database: Database, pool: string, name: string): Promise<FormSummary> {
  const { rows } = await sql<FormSummary>`
insert into form as f (id, pool, name) select ${uuidv7()}, ${pool}, ${name}
where (select count(*) from form o where o.pool = ${pool} and o.archived_at is null) < ${maxForms}::integer
returning ${summaryColumns}`.execute(database);
  const [form] = rows;
  if (form === undefined) throw new TooManyForms();
  return form;
}

export function createForms({ database }: StoreContext) {
  return {
    /** Rejects for an unknown pool. */
    create: (pool: string, name: string): Promise<FormSummary> => createForm(database, pool, name),
    /** Oldest first, with archived ones. @throws MalformedCursor */
    async list(pool: string, { limit, cursor }: PageRequest): Promise<Page<FormSummary>> {
      const { rows } = await sql<FormSummary>`
select ${summaryColumns} from form f where f.pool = ${pool} and f.id > ${idOfCursor(cursor)}
order by f.id limit ${limit + 1}`.execute(database);
      return pageById(rows, limit);
    },
    async get(pool: string, id: string): Promise<Form | undefined> {
      const { rows } = await sql<Form>`
select ${summaryColumns}, f.draft from form f where f.pool = ${pool} and f.id = ${id}`.execute(database);
      return rows[0];
    },
    /**
     * @param former - the state that the draft must still be in; any if omitted
     * @returns false if the pool has no such form, it is archived, or another draft or version was stored meanwhile
     */
    async putDraft(
      pool: string,
      id: string,
      draft: string,
      former?: Pick<Form, 'draft' | 'published'>,
    ): Promise<boolean> {
      const isUnchanged =
        former === undefined
          ? sql`true`
          : sql`f.draft is not distinct from ${former.draft} and ${newest} is not distinct from ${former.published}`;
      const { numUpdatedRows } = await database
        .withTables<OwnTables>()
        .updateTable('form as f')
        .set({ draft, updatedAt: sql<Date>`date_trunc('milliseconds', now())` })
        .where('f.pool', '=', pool)
        .where('f.id', '=', id)
        .where('f.archivedAt', 'is', null)
        .where(sql<boolean>`${isUnchanged}`)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    /**
     * Publishes the next version, and removes the draft. @returns its number; undefined if the draft has changed
     * meanwhile, or the form was archived
     */
    async publish(
      pool: string,
      id: string,
      { draft, content, hash, publishedBy }: NewFormVersion,
    ): Promise<number | undefined> {
      const { rows } = await sql<{ version: number }>`
with edited as (
  update form f set draft = null, updated_at = date_trunc('milliseconds', now())
  where f.pool = ${pool} and f.id = ${id} and f.draft = ${draft} and f.archived_at is null returning f.id)
insert into form_version (form, version, content, hash, published_by)
select f.id, coalesce(${newest}, 0) + 1, ${content}, decode(${hash}, 'hex'), ${publishedBy} from edited f
returning version`.execute(database);
      return rows[0]?.version;
    },
    /** Newest first. @throws MalformedCursor */
    async versions(
      pool: string,
      id: string,
      { limit, cursor }: PageRequest,
    ): Promise<Page<Omit<FormVersion, 'content'>>> {
      const { rows } = await sql<Omit<FormVersion, 'content'>>`
select ${versionColumns} from form_version v join form f on f.id = v.form
where f.pool = ${pool} and f.id = ${id} and v.version < ${versionBefore(cursor)}
order by v.version desc limit ${limit + 1}`.execute(database);
      return pageOf(
        rows,
        limit,
        ({ version }) => [String(version)],
        (version) => version,
      );
    },
    async version(pool: string, id: string, version: number): Promise<FormVersion | undefined> {
      const { rows } = await sql<FormVersion>`${prepared}
select ${versionColumns}, v.content from form_version v join form f on f.id = v.form
where f.pool = ${pool} and f.id = ${id} and v.version = ${version}::integer`.execute(database);
      return rows[0];
    },
    /** The newest version of each form that is not archived, oldest form first; at most a hundred. */
    async published(pool: string): Promise<FormVersion[]> {
      const { rows } = await sql<FormVersion>`${prepared}
select ${versionColumns}, v.content from form f join form_version v on v.form = f.id and v.version = ${newest}
where f.pool = ${pool} and f.archived_at is null order by f.id limit ${maxForms}`.execute(database);
      return rows;
    },
    /** Whether guests of the pool have anything to sign. */
    async hasPublished(pool: string): Promise<boolean> {
      const { rows } = await sql`
select from form f where f.pool = ${pool} and f.archived_at is null
  and exists (select from form_version v where v.form = f.id) limit 1`.execute(database);
      return rows.length > 0;
    },
    /** Takes a form away from guests. @returns false if the pool has no such form */
    async archive(pool: string, id: string): Promise<boolean> {
      const { numUpdatedRows } = await database
        .withTables<OwnTables>()
        .updateTable('form')
        .set({ archivedAt: sql<Date>`coalesce(archived_at, date_trunc('milliseconds', now()))`, draft: null })
        .where('pool', '=', pool)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}
