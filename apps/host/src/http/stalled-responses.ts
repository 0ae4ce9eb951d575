import type { HostApp } from './host-app.ts';

/** How long a caller may read nothing of a response. */
export const maxStallMs = 30_000;

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
