import { MalformedCursor } from '@waiver-service/database';
import { pruneRows } from '@waiver-service/store/testing';
import { expect, test } from 'vitest';
import type { AuditedRequest, AuditFilter } from '../../src/data/audit-log.ts';
import type { PeopleStore } from '../../src/data/people-store.ts';
import { peopleData } from '../../src/data/tables.ts';
import { openTestStore } from '../setup/open-test-store.ts';

const request: AuditedRequest = {
  actor: 'credential:1',
  name: 'Ada',
  action: 'webhook.create',
  pool: 'p1',
  target: null,
  requestId: 'r-1',
  address: '203.0.113.7',
};

async function found(store: PeopleStore, filter: Partial<AuditFilter> = {}) {
  const { items } = await store.auditLog.list({ ofPoolsOnly: false, ...filter }, { limit: 100 });
  return items.map(({ requestId }) => requestId);
}

test('an entry is there before its request ends, and then says how', async () => {
  const { store } = await openTestStore();
  const id = await store.auditLog.begin(request);
  const [running] = (await store.auditLog.list({ ofPoolsOnly: false }, { limit: 1 })).items;
  const { name, target: _, ...shown } = request;
  expect(running).toEqual({ ...shown, actorName: name, id, at: expect.any(Date) });
  await store.auditLog.end(id, { status: 201, target: 'w-1\u0000' });
  const [ended] = (await store.auditLog.list({ ofPoolsOnly: false }, { limit: 1 })).items;
  expect(ended).toEqual({ ...running, status: 201, target: 'w-1\uFFFD' });
});

test('the database refuses to change, end twice, delete or truncate', async () => {
  const { store, query } = await openTestStore();
  const id = await store.auditLog.begin(request);
  const refused = /append-only/;
  await expect(query("update audit_entry set actor = 'nobody'")).rejects.toThrow(refused);
  await expect(query("update audit_entry set status = 200, actor = 'nobody'")).rejects.toThrow(refused);
  await expect(query("update audit_entry set target = 'w-2'")).rejects.toThrow(refused);
  await store.auditLog.end(id, { status: 200, target: null });
  await expect(store.auditLog.end(id, { status: 500, target: null })).rejects.toThrow(refused);
  await expect(query("update audit_entry set target = 'w-2'")).rejects.toThrow(refused);
  await expect(query('update audit_entry set status = null')).rejects.toThrow(refused);
  await expect(query('delete from audit_entry')).rejects.toThrow(refused);
  await expect(query('truncate audit_entry')).rejects.toThrow(refused);
  expect(await found(store)).toEqual(['r-1']);
});

test('the list is filtered, newest first, page by page', async () => {
  const { store } = await openTestStore();
  const done = { status: 200, target: null };
  await store.auditLog.add({ ...request, requestId: 'r-1' }, done);
  await store.auditLog.add({ ...request, requestId: 'r-2', actor: 'admin-token', pool: 'p2' }, done);
  await store.auditLog.add({ ...request, requestId: 'r-3', action: 'credential.create', pool: null }, done);
  expect(await found(store)).toEqual(['r-3', 'r-2', 'r-1']);
  expect(await found(store, { ofPoolsOnly: true })).toEqual(['r-2', 'r-1']);
  expect(await found(store, { pools: ['p1'] })).toEqual(['r-1']);
  expect(await found(store, { pools: ['p1', 'p2'] })).toEqual(['r-2', 'r-1']);
  expect(await found(store, { pools: [] })).toEqual([]);
  expect(await found(store, { actor: 'admin-token' })).toEqual(['r-2']);
  expect(await found(store, { action: 'credential.create' })).toEqual(['r-3']);
  const minute = (count: number) => new Date(Date.now() + count * 60_000);
  expect(await found(store, { since: minute(-1), until: minute(1) })).toEqual(['r-3', 'r-2', 'r-1']);
  expect(await found(store, { since: minute(1) })).toEqual([]);
  expect(await found(store, { until: minute(-1) })).toEqual([]);

  const list = (cursor?: string) => store.auditLog.list({ ofPoolsOnly: false }, { limit: 2, cursor });
  const first = await list();
  const rest = await list(first.next ?? '');
  expect([...first.items, ...rest.items].map(({ requestId }) => requestId)).toEqual(['r-3', 'r-2', 'r-1']);
  expect(rest.next).toBeNull();
  await expect(list('bm8')).rejects.toThrow(MalformedCursor);
});

const dayMs = 86_400_000;
/** The first id of a time. */
const idOf = (time: number, count: number) => {
  const hex = time.toString(16).padStart(12, '0') + count.toString(16).padStart(20, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

test('entries older than the retention are removed in batches, and none of the last day', async () => {
  const { url, query, store } = await openTestStore();
  // It would prune what the test stores.
  await store.close();
  const insert = async (ages: readonly number[]) => {
    const ids = ages.map((age, index) => idOf(Date.now() - age * dayMs, index));
    await query(
      `insert into audit_entry (id, actor, action, request_id, address) select id, 'x', 'x', '', '' from unnest($1::uuid[]) id`,
      [ids],
    );
  };
  const left = async () => (await query('select count(*)::integer as left from audit_entry'))[0]?.left;
  await insert([...Array<number>(1_001).fill(11), 9, 0.9]);
  expect(await pruneRows(url, [peopleData])).toBe(true);
  expect(await left()).toBe(3);
  expect(await pruneRows(url, [peopleData])).toBe(false);
  expect(await left()).toBe(2);
  await pruneRows(url, [peopleData], 0);
  expect(await left()).toBe(1);
  await expect(query('delete from audit_entry')).rejects.toThrow(/append-only/);
  // As in a session of replication.
  await query("set search_path = ''");
  await query('select public.prune_audit_entries(interval $$1 day$$, 10)');
});
