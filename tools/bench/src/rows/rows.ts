import type { Row } from '../harness/row.ts';
import { acceptRow } from './accept-row.ts';
import { drainRows } from './drain-rows.ts';
import { growthRows } from './growth-rows.ts';
import { readRow } from './read-row.ts';
import { signRows } from './sign-rows.ts';
import { startUpRow } from './start-up-row.ts';

/** Every row, in the order of running and display. */
export const rows: readonly Row[] = [
  ...drainRows,
  acceptRow,
  ...signRows,
  readRow,
  startUpRow,
  ...growthRows,
];
