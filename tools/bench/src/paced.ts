import { setTimeout as wait } from 'node:timers/promises';

/**
 * Begins `count` tasks at an even rate, whether the ones before have ended or not, as callers who do not know of each
 * other do. Resolves when all have ended; rejects with the first failure.
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
    // A failure is told when all have been begun; until then it has someone who listens.
    ended.catch(() => {});
    begun.push(ended);
  }
  await Promise.all(begun);
}
