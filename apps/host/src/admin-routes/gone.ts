import { z } from 'zod';

/** The 204 of a removal: no body. */
export const goneSchema = z.null().describe('It is gone.');
