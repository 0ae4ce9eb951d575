import type { Faults } from '../../src/alerts/fault-reporter.ts';

/** Where nobody is to be told of faults. */
export const noFaults: Faults = { report() {} };
