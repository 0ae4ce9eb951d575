import { setTimeout as delay } from 'node:timers/promises';
import type { Program } from './program.ts';

const mebibyte = 1024 * 1024;

/** The memory of a host, from `/metrics`. */
async function residentMiB(program: Program): Promise<number> {
  const { text } = await program.call('GET', '/metrics');
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(text) ?? [];
  return Math.round(Number(bytes) / mebibyte);
}

/** Watches the memory of a host's process until the end. */
export async function measure(program: Program) {
  const startMiB = await residentMiB(program);
  let peakMiB = startMiB;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      peakMiB = Math.max(peakMiB, await residentMiB(program));
      await delay(100, undefined, { signal: over.signal }).catch(() => {});
    }
  })();
  return {
    async end() {
      over.abort();
      await watching;
      return { startMiB, peakMiB };
    },
  };
}
