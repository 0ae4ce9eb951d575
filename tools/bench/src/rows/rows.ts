import type { Row } from '../harness/row.ts';
import { acceptAndDeliverRow } from './accept-and-deliver-row.ts';
import { acceptRow } from './accept-row.ts';
import { claimRows } from './claim-rows.ts';
import { dispatcherRows } from './dispatcher-rows.ts';
import { drainRows } from './drain-rows.ts';
import { growthRows } from './growth-rows.ts';
import { deadDestinationRow, firstByteRows } from './latency-rows.ts';
import { parseRows } from './parse-rows.ts';
import { readRow } from './read-row.ts';
import { signRows } from './sign-rows.ts';
import { startUpRow } from './start-up-row.ts';

/** Every row, in the order of running and display. */
export const rows: readonly Row[] = [
  ...drainRows,
  ...dispatcherRows,
  ...firstByteRows,
  deadDestinationRow,
  acceptRow,
  acceptAndDeliverRow,
  ...signRows,
  ...claimRows,
  readRow,
  ...parseRows,
  startUpRow,
  ...growthRows,
];
