import type { Row } from '../harness/row.ts';
import { claimRows } from './claim-rows.ts';
import { drainRows } from './drain-rows.ts';
import { parseRows } from './parse-rows.ts';

/** Every row, in the order in which they run and are shown. */
export const rows: readonly Row[] = [...drainRows, ...claimRows, ...parseRows];
