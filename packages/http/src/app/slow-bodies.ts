import { type Readable, Transform } from 'node:stream';
import { HttpProblem } from '../answers/http-problem.ts';
import type { HostApp } from './host-app.ts';

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

/** How long a caller may read nothing of a response. */
const maxStallMs = 30_000;

/**
 * Closes connections whose caller has stopped reading a response, so that neither its memory nor the source of a
 * streamed one is held for a caller that may be gone. A response with nothing to send yet may wait.
 */
export function endStalledResponses(app: HostApp, stallMs: number = maxStallMs): void {
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    // Node restarts this timer whenever the system accepts a part, and replaces it once the response has ended.
    raw.setTimeout(stallMs, () => {
      if (raw.socket !== null && raw.socket.writableLength > 0) raw.socket.destroy();
    });
    done(null, payload);
  });
}

/** A body that is refused for now is answered after this time. Its caller waits as long before sending the next one. */
const busyMs = 1_000;

/**
 * A request's body, with each of its parts announced as it arrives; `onPart` may throw to refuse the rest. It ends once
 * `beforeEnd` has. Destroying it with a problem refuses the request, which can still be answered: the connection stays.
 */
export function countedBody(
  body: Readable,
  onPart: (bytes: number) => void,
  beforeEnd: () => Promise<void> = async () => {},
): Transform {
  const counted = new Transform({
    transform(part: Buffer, _encoding, done) {
      try {
        onPart(part.length);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      done(null, part);
    },
    flush(done) {
      beforeEnd().then(() => done(), done);
    },
    destroy(error, done) {
      if (error instanceof HttpProblem && error.status === 429) setTimeout(done, busyMs, error);
      else done(error);
    },
  });
  body.once('error', (error) => counted.destroy(error));
  body.once('close', () => {
    // The caller has gone.
    if (!counted.writableEnded) counted.destroy(new Error('the body broke off'));
  });
  counted.once('close', () => {
    body.unpipe(counted);
    // What follows is read and dropped: a caller who is still sending hears the answer only then.
    body.resume();
  });
  // Also heard once nobody reads it any more.
  counted.on('error', () => {});
  return body.pipe(counted);
}
