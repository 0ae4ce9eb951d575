import type { HostApp } from './host-app.ts';

/** How long a caller may take none of a response. */
export const maxStallMs = 30_000;

/**
 * Ends connections whose caller has stopped to read a response: its memory, and what a streamed one would go on to read,
 * are not held for a caller that may have gone. A response that has nothing to send yet may wait.
 */
export function endStalledResponses(app: HostApp, stallMs: number = maxStallMs): void {
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    // Node restarts it whenever the system has taken a part, and replaces it once the response has ended.
    raw.setTimeout(stallMs, () => {
      if (raw.socket !== null && raw.socket.writableLength > 0) raw.socket.destroy();
    });
    done(null, payload);
  });
}
