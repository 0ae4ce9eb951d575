import type { BookingSystemPlugin } from '@waiver-service/core';
import { describe, test } from 'vitest';
import { allClauses } from './clauses/all-clauses.ts';
import type { ContractSuiteOptions } from './options.ts';
import { runClause } from './run-clause.ts';

/**
 * Registers a vitest test for every clause that a plugin's manifest lets apply; the others show as skipped. Call it
 * once, at the top of a test file. No request leaves the machine while it runs.
 */
export function runContractSuite(plugin: BookingSystemPlugin, options: ContractSuiteOptions = {}): void {
  describe(`${plugin.installName} keeps the contract`, () => {
    for (const clause of allClauses) {
      const applies = clause.appliesTo?.(plugin) ?? true;
      const name = `${clause.id} (${clause.section}): ${clause.title}`;
      test.runIf(applies)(name, () => runClause(clause, plugin, options));
    }
  });
}
