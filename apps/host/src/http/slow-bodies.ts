import { countedBody } from './counted-body.ts';
import type { HostApp } from './host-app.ts';
import { HttpProblem } from './http-problem.ts';

/**
 * A third of what 3G promises upstream (384 kbit/s), so that a phone with a weak signal gets through: 4 MiB may take
 * four minutes.
 */
const minBytesPerSecond = 16 * 1024;
/** Free of the rule: a phone may look for another cell. */
const graceMs = 10_000;
const checkEveryMs = 1_000;

/** Longer than the largest body takes at the minimum speed: Node then ends the connection. */
export const maxRequestMs = 400_000;

const tooSlow = () =>
  new HttpProblem(
    408,
    'request_timeout',
    `The body arrived more slowly than ${minBytesPerSecond / 1024} KiB a second. Send the request again, unchanged.`,
    { headers: { connection: 'close' } },
  );

/** Whether a body that began `elapsedMs` ago should have more bytes by now. */
export const isTooSlow = (bytes: number, elapsedMs: number): boolean =>
  bytes < ((elapsedMs - graceMs) / 1_000) * minBytesPerSecond;

/** Ends requests whose body trickles, so that it does not hold what its caller shares with others. */
export function endSlowBodies(app: HostApp): void {
  app.addHook('preParsing', async ({ raw }, _reply, payload) => {
    // The whole body arrived with the headers.
    if (raw.complete) return payload;
    const startedAt = performance.now();
    let bytes = 0;
    const body = countedBody(payload, (length) => {
      bytes += length;
    });
    const timer = setInterval(() => {
      if (isTooSlow(bytes, performance.now() - startedAt)) body.destroy(tooSlow());
    }, checkEveryMs);
    body.once('close', () => clearInterval(timer));
    return body;
  });
}
