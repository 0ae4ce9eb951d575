import { z } from 'zod';

/** The body of a 204: none. */
export const noContentSchema = z.null().describe('Removed.');
