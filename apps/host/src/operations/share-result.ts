/**
 * Work whose result is shared by all who ask while it is under way and for a while after, so that it runs once at a
 * time however many ask. A failure is shared too.
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
