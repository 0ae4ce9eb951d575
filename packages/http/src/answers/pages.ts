import { MalformedCursor, type Page } from '@waiver-service/database';
import { malformed } from './http-problem.ts';

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
