import { z } from 'zod';

export const roleSchema = z.enum(['owner', 'operator', 'viewer']).meta({
  id: 'Role',
  description:
    'What a person or program may do. `owner`: everything. `operator`: everything in its pools, except what only owners may do, such as managing credentials, install keys and settings of booking systems. `viewer`: reading its pools, without guests’ data.',
});

export const shownPoolsSchema = z
  .array(z.string())
  .nullable()
  .describe('The ids of the pools; null for all pools.');
