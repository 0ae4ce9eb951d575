import { setTimeout as wait } from 'node:timers/promises';

/**
 * Starts `count` tasks at an even rate, whether or not earlier ones have ended, like independent callers. Resolves when
 * all have ended; rejects with the first failure.
 */
export async function runPaced(
  count: number,
  perSecond: number,
  task: (index: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const begun: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueIn = startedAt + (index * 1000) / perSecond - performance.now();
    if (dueIn > 0) await wait(dueIn);
    const ended = task(index);
    // `Promise.all` below reports failures; avoid an unhandledRejection until then.
    ended.catch(() => {});
    begun.push(ended);
  }
  await Promise.all(begun);
}
