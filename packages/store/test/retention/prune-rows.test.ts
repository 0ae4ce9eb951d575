import { expect, test } from 'vitest';
import { createPruneRowsJob, retentionRules } from '../../src/retention.ts';
import { pruneRows } from '../../src/testing/pruning.ts';
import { openDatabase } from '../setup/open-database.ts';
import { openOutbox } from '../setup/open-outbox.ts';
import { untilPruned } from '../setup/until-pruned.ts';

test('a rule that fails stops no other, and is named', async () => {
  const { query, url } = await openOutbox({ webhook: false });
  await query(
    "insert into upcoming_booking values ('p1', 'standard', 'past', now() - interval '3 days', now() - interval '3 days')",
  );
  await query('alter table inbound_message rename to elsewhere');
  await expect(pruneRows(url)).rejects.toThrow(/^inbound_message: /);
  expect(await query('select from upcoming_booking')).toEqual([]);
});

test('a round that has deleted everything is followed by the next one after the interval', async () => {
  const { query, url } = await openOutbox({ webhook: false });
  await untilPruned(query);
  const insert = () =>
    query(
      "insert into upcoming_booking values ('p1', 'standard', 'past', now() - interval '3 days', now() - interval '3 days')",
    );
  const rules = retentionRules({ auditRetentionMs: 0, deliveryRetentionMs: 0 }, []);
  const job = createPruneRowsJob(openDatabase(url), rules, 3_600_000);
  await insert();
  expect(await job.runBatch()).toBe(false);
  expect(await query('select from upcoming_booking')).toEqual([]);
  await insert();
  expect(await job.runBatch()).toBe(false);
  expect(await query('select from upcoming_booking')).toHaveLength(1);
});
