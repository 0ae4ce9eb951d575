import type { ExportedDelivery, WaiverVersion } from '@waiver-service/api';
import { beforeFirstId } from '@waiver-service/database';
import type { EvidenceFile } from '@waiver-service/evidence';
import { shownState, stateOfDelivery } from '@waiver-service/outbox';
import { readEvidence } from '@waiver-service/signing/data';
import type { Hold } from '@waiver-service/store';
import {
  type Database,
  type HashEmail,
  recordOf,
  type StoreContext,
  versionsOf,
  type WaiverRow,
  waiverColumns,
} from '@waiver-service/store/features';
import type { WaiverRecord } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';

/**
 * Identifies a guest: by one record, or by all records whose answer `email` is or once was this address, regardless of
 * case.
 */
export type GuestReference = { readonly waiverId: string } | { readonly email: string };

/** A {@link GuestReference} in the forms in which the database compares addresses. */
export type FoundGuest =
  | { readonly waiverId: string }
  | { readonly email: string; readonly hash: Buffer | undefined };

/** Normalizes the address in the database, as its index does, and hashes it like the stored previous addresses. */
export async function normalizeGuest(
  database: Database,
  hashEmail: HashEmail,
  pool: string,
  guest: GuestReference,
): Promise<FoundGuest> {
  if ('waiverId' in guest) return guest;
  const { rows } = await sql<{ email: string | null }>`
select normalized_email(${JSON.stringify(guest)}) as email`.execute(database);
  return { email: rows[0]?.email ?? '', hash: hashEmail(pool, guest.email) };
}

/**
 * The distinct `id`s of a guest's unerased records in a pool, and of the unerased records that confirm one of them
 * (`reuse_of`).
 */
export const idsOfGuest = (pool: string, guest: FoundGuest): RawBuilder<{ readonly id: string }> =>
  'waiverId' in guest
    ? sql`
select w.id from waiver w where w.pool = ${pool} and w.id = ${guest.waiverId} and w.erasure is null
union
select w.id from waiver w where w.pool = ${pool} and w.reuse_of = ${guest.waiverId} and w.erasure is null`
    : sql`
select w.id from waiver w
where w.pool = ${pool} and w.erasure is null
  and hashtextextended(normalized_email(w.answers), 0) = hashtextextended(${guest.email}, 0)
  and normalized_email(w.answers) = ${guest.email}
union
select w.id from former_email f join waiver w on w.pool = f.pool and w.id = f.waiver_id
where f.pool = ${pool} and f.hash = ${guest.hash ?? null} and w.erasure is null
union
select w.id from former_email f join waiver w on w.pool = f.pool and w.reuse_of = f.waiver_id
where f.pool = ${pool} and f.hash = ${guest.hash ?? null} and w.erasure is null
union
select w.id from waiver o join waiver w on w.pool = o.pool and w.reuse_of = o.id
where o.pool = ${pool} and w.erasure is null
  and hashtextextended(normalized_email(o.answers), 0) = hashtextextended(${guest.email}, 0)
  and normalized_email(o.answers) = ${guest.email}`;

/** A record, its hold, its versions, and the messages about it. */
export interface ExportedWaiver {
  readonly record: WaiverRecord;
  readonly hold: Hold | undefined;
  /** The signed record without the parts of other guests; undefined if it was not signed here. */
  readonly evidence: EvidenceFile | undefined;
  /** What features keep of its guest. */
  readonly ofFeatures: Readonly<Record<string, unknown>>;
  /** Newest first, page by page; they include earlier answers. */
  readonly versions: AsyncIterable<WaiverVersion>;
  /** Oldest first, page by page. */
  readonly deliveries: AsyncIterable<ExportedDelivery>;
}

// A page of deliveries fits in memory, with their attempts.
const maxDeliveries = 50;
const maxAttempts = 100;
const maxVersions = 50;

interface ExportRow extends WaiverRow {
  readonly hold: { readonly reason: string; readonly by: string; readonly at: string } | null;
}

async function nextWaiver(database: Database, pool: string, guest: FoundGuest, after: string) {
  const { rows } = await sql<ExportRow>`
select ${waiverColumns}, case when w.hold_reason is not null then
  json_build_object('reason', w.hold_reason, 'by', w.held_by, 'at', w.held_at) end as hold
from (${idsOfGuest(pool, guest)}) g join waiver w on w.pool = ${pool} and w.id = g.id
where g.id > ${after} and w.erasure is null order by g.id limit 1`.execute(database);
  return rows[0];
}

interface DeliveryRow extends Omit<ExportedDelivery, 'body' | 'attempts'> {
  /** The JSON text that is sent. */
  readonly body: string;
  readonly attempts:
    | readonly (Omit<ExportedDelivery['attempts'][number], 'at'> & { readonly at: string })[]
    | null;
}

async function* deliveriesOf(
  database: Database,
  { pool, id }: WaiverRecord,
): AsyncGenerator<ExportedDelivery> {
  let after = beforeFirstId;
  for (;;) {
    const { rows } = await sql<DeliveryRow>`
select d.id, d.kind, ${shownState} as state, d.destination, coalesce(i.booking_system, h.url) as receiver, d.version,
  d.created_at, d.body,
  (select json_agg(json_build_object('at', a.at, 'outcome', a.outcome, 'status', a.status, 'errorCode', a.error_code,
    'response', case when t.status <> 'closed' then a.response end) order by a.at)
    from (select * from attempt where delivery = d.id order by at desc limit ${maxAttempts}::integer) a) as attempts
from delivery d ${stateOfDelivery}
left join installation i on i.destination_id = d.destination
left join webhook h on h.destination_id = d.destination
where d.pool = ${pool} and d.waiver_id = ${id} and d.id > ${after}::uuid
order by d.id limit ${maxDeliveries}::integer`.execute(database);
    for (const { attempts, body, ...row } of rows)
      yield {
        ...row,
        body: JSON.parse(body),
        attempts: (attempts ?? []).map(({ at, ...rest }) => ({ at: new Date(at), ...rest })),
      };
    const last = rows.at(-1);
    if (last === undefined || rows.length < maxDeliveries) return;
    after = last.id;
  }
}

async function* allVersionsOf(database: Database, { pool, id }: WaiverRecord): AsyncGenerator<WaiverVersion> {
  let cursor: string | undefined;
  do {
    const { items, next } = await versionsOf(database, pool, id, { limit: maxVersions, cursor });
    yield* items;
    cursor = next ?? undefined;
  } while (cursor !== undefined);
}

/**
 * Reads everything stored about a guest, record by record and message by message, however many there are. Not a
 * snapshot: concurrent changes may be included.
 */
export async function* exportGuest(
  context: StoreContext,
  pool: string,
  guest: GuestReference,
): AsyncGenerator<ExportedWaiver> {
  const { database, hashEmail, features } = context;
  const normalized = await normalizeGuest(database, hashEmail, pool, guest);
  let after = '';
  for (;;) {
    const row = await nextWaiver(database, pool, normalized, after);
    if (row === undefined) return;
    const { hold, ...waiver } = row;
    const record = recordOf(waiver);
    const ofFeatures: Record<string, unknown> = {};
    for (const { personalData } of features)
      Object.assign(ofFeatures, await personalData?.exportOfWaiver?.(context, record));
    yield {
      record,
      hold: hold === null ? undefined : { ...hold, at: new Date(hold.at) },
      evidence: (await readEvidence(context, pool, record.id, { isOfGuestOnly: true }))?.file,
      ofFeatures,
      versions: allVersionsOf(database, record),
      deliveries: deliveriesOf(database, record),
    };
    after = record.id;
  }
}
