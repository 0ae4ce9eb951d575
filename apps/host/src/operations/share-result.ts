/**
 * Shares the result of work with all callers while it runs and for `cacheMs` afterwards, so that it runs once at a
 * time, however many call. Shares failures, too.
 */
export function shareResult<Result>(work: () => Promise<Result>, cacheMs: number): () => Promise<Result> {
  let shared: Promise<Result> | undefined;
  const start = () => {
    const result = work();
    const forget = () => {
      setTimeout(() => {
        shared = undefined;
      }, cacheMs).unref();
    };
    result.then(forget, forget);
    return result;
  };
  return () => {
    shared ??= start();
    return shared;
  };
}
