import { fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { programBeside } from '../program-beside.ts';

const readySchema = z.object({ url: z.url() });

/** Starts the bare proxy as a separate process in front of a booking system. It ends with this process. */
export async function startBookingProxy(
  origin: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const child = fork(programBeside(import.meta.filename, 'booking-proxy-process'), [origin], {
    execArgv: [],
  });
  const ended = once(child, 'exit');
  const [ready] = await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('the bare proxy ended before it listened'))),
  ]);
  return {
    url: readySchema.parse(ready).url,
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
