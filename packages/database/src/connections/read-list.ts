import { sql } from 'kysely';
import type { Database } from './database.ts';

/** A list or a search exceeded its time limit, and was canceled. */
export class ListTooSlow extends Error {
  override readonly name = 'ListTooSlow';
}

/** How long each statement of a list may take. */
export const maxListMs = 2_000;

const queryCanceled = '57014';

const isCanceled = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === queryCanceled;

/**
 * Reads a list or a search, each of whose statements may take two seconds: none holds a connection for long.
 *
 * @throws ListTooSlow
 */
export async function readList<Tables, Result>(
  database: Database<Tables>,
  query: (limited: Database<Tables>) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction().execute(async (transaction) => {
      await sql.raw(`set local statement_timeout = ${maxListMs}`).execute(transaction);
      return query(transaction);
    });
  } catch (error) {
    if (isCanceled(error)) throw new ListTooSlow('the list was ended', { cause: error });
    throw error;
  }
}
