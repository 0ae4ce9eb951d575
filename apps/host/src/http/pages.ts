import { MalformedCursor } from '@waiver-service/store';
import { z } from 'zod';
import { malformed } from './http-problem.ts';

/** The query parameters that every list takes. */
export const pageQueryFields = {
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('Most items in one answer.'),
  cursor: z
    .string()
    .min(1)
    // An id of 256 bytes may be six times that in JSON, and a third more in a cursor.
    .max(4096)
    .optional()
    .describe('The `next` of the page before; left out for the first page.'),
};

/** The whole query of a list that takes nothing else. */
export const pageQuerySchema = z.strictObject(pageQueryFields);

/** One page of a list: `next` is the cursor of the page after it, `null` on the last. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().nullable() });
}

/**
 * The page that a list gave.
 * @param path - the query parameter that carries the cursor
 * @throws HttpProblem 400 that names it, where the list says that it never gave out that cursor
 */
export async function pageOrProblem<Page>(page: Promise<Page>, path = 'cursor'): Promise<Page> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof MalformedCursor) throw malformed([{ path, message: error.message }]);
    throw error;
  }
}
