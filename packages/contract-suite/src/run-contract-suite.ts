import type { BookingSystemPlugin } from '@waiver-service/core';
import { describe, test } from 'vitest';
import type { Clause } from './clause.ts';
import { failedAnswerClauses, judgedAnswerClauses } from './clauses/failed-answers.ts';
import { guestUpdateAnswerClauses, guestUpdateRequestClauses } from './clauses/guest-update.ts';
import { inboundClauses, webhookClauses } from './clauses/inbound.ts';
import { listingClauses } from './clauses/listing.ts';
import { manifestClauses } from './clauses/manifest.ts';
import {
  nativeReadClauses,
  nativeValueClauses,
  nativeWriteClauses,
  simulatedClauses,
} from './clauses/native.ts';
import { nativeIdClauses } from './clauses/native-ids.ts';
import { readFormClauses } from './clauses/read-forms.ts';
import { readErrorClauses, readRefusalClauses } from './clauses/read-refusals.ts';
import { aliasClauses, readRequestClauses, readSafetyClauses } from './clauses/read-request.ts';
import { readToleranceClauses } from './clauses/read-tolerances.ts';
import { authenticationClauses, guardedClientClauses, requestLimitClauses } from './clauses/requests.ts';
import { secretClauses } from './clauses/secrets.ts';
import { sessionClauses } from './clauses/sessions.ts';
import { everyPlugin } from './conditions.ts';
import type { RanScenario } from './evidence.ts';
import { ClauseKit } from './kit/clause-kit.ts';
import { playScenarios } from './native/play-scenarios.ts';
import type { ContractSuiteOptions } from './options.ts';

/** Every clause of the suite, in order. */
export const allClauses: readonly Clause[] = [
  ...manifestClauses,
  ...guardedClientClauses,
  ...authenticationClauses,
  ...sessionClauses,
  ...readRequestClauses,
  ...readSafetyClauses,
  ...readFormClauses,
  ...readToleranceClauses,
  ...readRefusalClauses,
  ...readErrorClauses,
  ...failedAnswerClauses,
  ...nativeReadClauses,
  ...guestUpdateRequestClauses,
  ...guestUpdateAnswerClauses,
  ...nativeWriteClauses,
  ...simulatedClauses,
  ...nativeIdClauses,
  ...nativeValueClauses,
  ...inboundClauses,
  ...aliasClauses,
  ...listingClauses,
  ...webhookClauses,
  ...judgedAnswerClauses,
  ...requestLimitClauses,
  ...secretClauses,
];

/** Runs one clause on one plugin. Returns the completed scenarios; rejects if the plugin violates the clause. */
export async function runClause(
  clause: Clause,
  plugin: BookingSystemPlugin,
  options: ContractSuiteOptions = {},
): Promise<readonly RanScenario[]> {
  const kit = new ClauseKit(plugin, options, await playScenarios(plugin, options));
  try {
    await clause.run(kit);
    kit.partner.assertAllMatched();
    kit.bypassDetector.assertNone();
    return kit.ranScenarios;
  } catch (error) {
    throw kit.bypassDetector.explain(kit.partner.explain(error));
  } finally {
    await kit.close();
  }
}

/** The clauses that apply to a plugin. */
export const clausesFor = (plugin: BookingSystemPlugin): readonly Clause[] =>
  allClauses.filter(({ appliesTo = everyPlugin }) => appliesTo(plugin));

/** One line about the clauses that do not apply to a plugin, counted by reason; undefined if all do. */
export function lineAboutOthers(plugin: BookingSystemPlugin): string | undefined {
  const others = allClauses.flatMap(({ appliesTo = everyPlugin }) => (appliesTo(plugin) ? [] : [appliesTo]));
  if (others.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const reason of others.map((condition) => condition.reason(plugin))) {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].map(([reason, count]) => `${reason} (${count})`).join(', ');
  return `${plugin.installName}: ${others.length} clauses do not apply, because it ${reasons}`;
}

/**
 * Registers a vitest test for each clause that applies to the plugin's manifest, and prints a line about the others.
 * Call it once, at the top level of a test file. Disables network access.
 */
export function runContractSuite(plugin: BookingSystemPlugin, options: ContractSuiteOptions = {}): void {
  const others = lineAboutOthers(plugin);
  if (others !== undefined) console.info(others);
  describe(`${plugin.installName} keeps the contract`, () => {
    for (const clause of clausesFor(plugin)) {
      test(`${clause.id} (${clause.section}): ${clause.title}`, async ({ task }) => {
        const scenarios = await runClause(clause, plugin, options);
        task.meta.contractClause = { installName: plugin.installName, clause: clause.id, scenarios };
      });
    }
  });
}
