import { afterAll, describe, expect, it } from 'vitest';
import { createGround } from '../src/harness/ground.ts';
import { runRow } from '../src/harness/row.ts';
import { rows } from '../src/rows/rows.ts';

const serverUrl = process.env.WAIVER_SERVICE_TEST_DATABASE_URL ?? '';
const { signal } = new AbortController();
// As small as possible: this shows that the rows work, not how fast they are.
const ground = createGround({ signal, scale: 0.001, serverUrl });

afterAll(() => ground.close());

it('rows’ names are unique', () => {
  const names = rows.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

describe('rows run from end to end', () => {
  const some = ['webhooks-undici'];
  const others = [
    'accept',
    'sign',
    'read',
    'webhooks-floor',
    'webhooks-pg-boss',
    'webhooks-graphile-worker',
    'growth-list-waivers',
  ];
  // Each takes seconds: `npm run test:faults` runs them all.
  it.each(process.env.WAIVER_SERVICE_FAULTS === 'long' ? [...some, ...others] : some)(
    '%s',
    { timeout: 60_000 },
    async (name) => {
      const row = rows.find((one) => one.name === name);
      if (row === undefined) throw new Error(`no row is named ${name}`);
      const { outcome } = await runRow(row, ground, 1);
      if (outcome.kind !== 'measured') throw new Error(outcome.why);
      expect(outcome.subject).toBeGreaterThan(0);
      expect(outcome.base).toBeGreaterThan(0);
      expect(outcome.ratio.median).toBe(outcome.subject / outcome.base);
    },
  );
});
