import { z } from 'zod';

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
