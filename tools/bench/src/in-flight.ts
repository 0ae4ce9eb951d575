/** Runs `total` tasks, `limit` at a time. Rejects with the first failure, once all started tasks end. */
export async function runInFlight(
  total: number,
  limit: number,
  task: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  let failure: { readonly cause: unknown } | undefined;
  async function lane() {
    while (next < total && failure === undefined) {
      const index = next;
      next += 1;
      try {
        await task(index);
      } catch (cause) {
        failure ??= { cause };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, total) }, lane));
  if (failure) throw failure.cause;
}
