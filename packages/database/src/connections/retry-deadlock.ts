const deadlockDetected = '40P01';
const maxAttempts = 5;

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === deadlockDetected;
}

/**
 * Retries a statement or a whole transaction that PostgreSQL aborted to resolve a deadlock. All statements lock in one
 * order, so a deadlock should never happen; if one does, the caller does not notice. Not for a statement inside a
 * transaction, which is aborted with it.
 */
export async function retryDeadlock<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === maxAttempts || !isDeadlock(error)) throw error;
    }
  }
}
