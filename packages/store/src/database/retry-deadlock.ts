const deadlockDetected = '40P01';
const mostTries = 5;

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === deadlockDetected;
}

/**
 * Runs a single statement again when PostgreSQL ended it to break a deadlock. All statements lock in one order, so
 * this should never happen; where it does, a caller must not notice. Not for a statement inside a transaction.
 */
export async function retryDeadlock<Result>(statement: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await statement();
    } catch (error) {
      if (tries === mostTries || !isDeadlock(error)) throw error;
    }
  }
}
