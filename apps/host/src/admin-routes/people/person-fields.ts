import { z } from 'zod';

/** The rights of a person. */
export const roleSchema = z
  .enum(['owner', 'operator', 'viewer'])
  .describe(
    '`owner`: everything. `operator`: everything in its pools; no credentials, install keys or settings of booking systems. `viewer`: reads its pools, without the guests’ data.',
  );

/** The pools of a person in a response. */
export const shownPoolsSchema = z.array(z.string()).nullable().describe('null: all.');
