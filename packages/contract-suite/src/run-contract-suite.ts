import type { BookingSystemPlugin } from '@waiver-service/core';
import { describe, test } from 'vitest';
import { allClauses } from './clauses/all-clauses.ts';
import type { ContractSuiteOptions } from './options.ts';
import { runClause } from './run-clause.ts';

/**
 * Registers a vitest test for each clause, and skips those that do not apply to the plugin's manifest. Call it once, at
 * the top level of a test file. Disables network access.
 */
export function runContractSuite(plugin: BookingSystemPlugin, options: ContractSuiteOptions = {}): void {
  describe(`${plugin.installName} keeps the contract`, () => {
    for (const clause of allClauses) {
      const applies = clause.appliesTo?.(plugin) ?? true;
      const name = `${clause.id} (${clause.section}): ${clause.title}`;
      test.runIf(applies)(name, async ({ task }) => {
        const scenarios = await runClause(clause, plugin, options);
        task.meta.contractClause = { installName: plugin.installName, clause: clause.id, scenarios };
      });
    }
  });
}
