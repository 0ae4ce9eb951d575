import { z } from 'zod';

/** The response of a 204: it has no body. */
export const noContentSchema = z.null().describe('The request succeeded. The response has no body.');
