import { expect, test } from 'vitest';
import { poolTables } from '../../src/moves/moved-tables.ts';
import { openTestStore } from '../setup/open-test-store.ts';

test('of every table is written what becomes of it when a pool moves', async () => {
  const { query } = await openTestStore();
  const tables = await query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and not relispartition and relname <> 'migration_lock' order by 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(poolTables).toSorted());
});

test('no table with a pool’s rows stays without a reason', async () => {
  const { query } = await openTestStore();
  const columns = await query(
    `select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'pool' order by 1`,
  );
  const staying = columns.map(({ name }) => String(name)).filter((name) => poolTables[name] === 'cell');
  // Alerts, the audit log and moves themselves; where the search is in its round over all pools.
  expect(staying).toEqual([
    'alert_occurrence',
    'alert_topic',
    'audit_entry',
    'moved_pool',
    'moved_pool_key',
    'pool_move',
    'sent_alert',
    'waiver_search_progress',
  ]);
});
