import { MalformedCursor } from '@waiver-service/store';
import { malformed } from './http-problem.ts';

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
