import type { Faults } from '../../src/alerts/fault-reporter.ts';

/** Ignores faults. */
export const noFaults: Faults = { report() {} };
