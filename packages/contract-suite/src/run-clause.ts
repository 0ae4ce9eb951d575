import type { BookingSystemPlugin } from '@waiver-service/core';
import type { Clause } from './clause.ts';
import type { RanScenario } from './evidence.ts';
import { ClauseKit } from './kit/clause-kit.ts';
import type { ContractSuiteOptions } from './options.ts';

/** Runs one clause on one plugin. Returns the completed scenarios; rejects if the plugin violates the clause. */
export async function runClause(
  clause: Clause,
  plugin: BookingSystemPlugin,
  options: ContractSuiteOptions = {},
): Promise<readonly RanScenario[]> {
  const kit = new ClauseKit(plugin, options);
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
