import { describe, expect, test } from 'vitest';
import { allClauses } from '../src/clauses/all-clauses.ts';
import { runClause } from '../src/run-clause.ts';
import { allBadPlugins } from './bad-plugins/all-bad-plugins.ts';
import type { BadPlugin } from './bad-plugins/bad-plugin.ts';

// These wait, or send much: each is run on its own bad plugin alone, so that the rest takes seconds, not minutes.
const slow = /timeout|encoding|too-large|^secrets/;
const themeOf = (id: string) => id.split('/')[0];

/** The clauses that a bad plugin breaks: of its own clause and the others of its theme. */
async function brokenBy(id: string, { plugin, options }: BadPlugin): Promise<string[]> {
  const broken: string[] = [];
  for (const clause of allClauses) {
    const isOwn = clause.id === id;
    if (!isOwn && (slow.test(clause.id) || themeOf(clause.id) !== themeOf(id))) continue;
    if (!(clause.appliesTo?.(plugin) ?? true)) continue;
    await runClause(clause, plugin, options).catch(() => broken.push(clause.id));
  }
  return broken;
}

test('every clause has a bad plugin, and every bad plugin a clause', () => {
  const ids = allClauses.map(({ id }) => id);
  expect(new Set(ids).size, 'no id stands twice').toBe(ids.length);
  expect(Object.keys(allBadPlugins).sort()).toEqual(ids.sort());
});

describe('a bad plugin breaks its own clause, and no other of its theme that is not named', () => {
  for (const [id, bad] of Object.entries(allBadPlugins)) {
    test(id, async () => {
      expect((await brokenBy(id, bad)).sort()).toEqual([id, ...(bad.also ?? [])].sort());
    });
  }
});
