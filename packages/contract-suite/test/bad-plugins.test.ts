import { describe, expect, test } from 'vitest';
import { allClauses, clausesFor, runClause } from '../src/run-contract-suite.ts';
import type { BadPlugin, BadPlugins } from './bad-plugins/alterations.ts';
import { badReadErrors } from './bad-plugins/failed-answers.ts';
import { badGuestUpdateAnswers, badGuestUpdateRequests } from './bad-plugins/guest-updates.ts';
import { badInbound, badWebhooks } from './bad-plugins/inbound.ts';
import { badNativePlugins } from './bad-plugins/native.ts';
import { badForms, badRefusals, badRequests, badTolerances } from './bad-plugins/reading.ts';
import { badManifests, badRequestsSent } from './bad-plugins/requests.ts';
import { badSessions } from './bad-plugins/sessions.ts';

const allBadPlugins: BadPlugins = {
  ...badManifests,
  ...badSessions,
  ...badRequests,
  ...badForms,
  ...badTolerances,
  ...badRefusals,
  ...badReadErrors,
  ...badGuestUpdateRequests,
  ...badGuestUpdateAnswers,
  ...badNativePlugins,
  ...badInbound,
  ...badWebhooks,
  ...badRequestsSent,
};

// These wait for a timeout or send a lot: to keep the suite fast, each runs on its own bad plugin only.
const slow = /timeout|encoding|too-large|^secrets/;
// In the long form, a bad plugin runs on all clauses of its theme.
const isLong = process.env.WAIVER_SERVICE_FAULTS === 'long';
const themeOf = (id: string) => id.split('/')[0];

/** The clauses of its theme that a bad plugin violates. */
async function violatedBy(id: string, { plugin, options }: BadPlugin): Promise<string[]> {
  const violated: string[] = [];
  for (const clause of clausesFor(plugin)) {
    const isOwn = clause.id === id;
    if (!isOwn && (!isLong || slow.test(clause.id) || themeOf(clause.id) !== themeOf(id))) continue;

    await runClause(clause, plugin, options).catch(() => violated.push(clause.id));
  }
  return violated;
}

test('every clause has a bad plugin, and every bad plugin a clause', () => {
  const ids = allClauses.map(({ id }) => id);
  expect(new Set(ids).size, 'ids are unique').toBe(ids.length);
  expect(Object.keys(allBadPlugins).sort()).toEqual(ids.sort());
});

describe('a bad plugin violates its own clause, and of the others of its theme only those listed in `also`', () => {
  for (const [id, bad] of Object.entries(allBadPlugins)) {
    test(id, async () => {
      const expected = [id, ...(isLong ? (bad.also ?? []) : [])];
      expect((await violatedBy(id, bad)).sort()).toEqual(expected.sort());
    });
  }
});
