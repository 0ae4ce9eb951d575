import { MalformedCursor, type Page } from '@waiver-service/store';
import { z } from 'zod';
import { malformed } from './http-problem.ts';

/** The query parameters of every list. */
export const pageQueryFields = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(50)
    .describe('The maximum number of items per page.'),
  cursor: z
    .string()
    .min(1)
    // An id of 256 bytes may take six times that in JSON, and a third more in a cursor.
    .max(4096)
    .optional()
    .describe('The `next` of the previous page; omitted for the first page.'),
};

/** The query of a list without filters. */
export const pageQuerySchema = z.strictObject(pageQueryFields);

/** One page of a list: `next` is the cursor of the next page, `null` on the last one. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().nullable() });
}

/**
 * A page of a list, mapped to its response.
 * @throws HttpProblem 400 that names `cursor` if that is malformed
 */
export async function pageOf<Item, Answer>(
  page: Promise<Page<Item>>,
  answerOf: (item: Item) => Answer,
): Promise<{ items: Answer[]; next: string | null }> {
  const { items, next } = await pageOrProblem(page);
  return { items: items.map((item) => answerOf(item)), next };
}

/**
 * Awaits a page of a list.
 * @param path - the query parameter that contains the cursor
 * @throws HttpProblem 400 that names the parameter if the cursor is malformed
 */
export async function pageOrProblem<Page>(page: Promise<Page>, path = 'cursor'): Promise<Page> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof MalformedCursor) throw malformed([{ path, message: error.message }]);
    throw error;
  }
}
