import type { Reporter, TestModule } from 'vitest/node';
import { propertySeed } from './property-seed.ts';

/** Names the seed of the property tests, and ends the run with one plain line that programs can read. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
      // A file that does not load has failed, though it has no tests to count.
      if (module.state() === 'failed' && module.errors().length > 0) counts.failed += 1;
    }
    const skipped = counts.skipped + counts.pending;
    console.log(`property tests: seed ${propertySeed}`);
    console.log(
      `${counts.passed} passed, ${counts.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    );
  }
}
