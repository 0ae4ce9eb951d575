import type { Faults } from '../../src/http/faults.ts';

/** Ignores faults. */
export const noFaults: Faults = { report() {} };
