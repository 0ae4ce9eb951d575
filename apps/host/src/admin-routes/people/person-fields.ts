import { z } from 'zod';

export const roleSchema = z.enum(['owner', 'operator', 'viewer']).meta({
  id: 'Role',
  description:
    '`owner`: everything. `operator`: everything in its pools; no credentials, install keys or settings of booking systems. `viewer`: reads its pools, without the guests’ data.',
});

export const shownPoolsSchema = z.array(z.string()).nullable().describe('null: all.');
