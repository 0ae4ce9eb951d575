import { MalformedCursor } from '@waiver-service/store';
import { malformed } from './http-problem.ts';

/**
 * The page that a list gave.
 * @throws HttpProblem 400 that names `cursor`, where the list says that it never gave out that cursor
 */
export async function pageOrProblem<Page>(page: Promise<Page>): Promise<Page> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof MalformedCursor) throw malformed([{ path: 'cursor', message: error.message }]);
    throw error;
  }
}
