import { readTimestamp, timestampRequest } from '@waiver-service/evidence';
import { type BackgroundWork, createBackgroundLoop } from '../background/background-loop.ts';
import type { HostServices } from '../container/tokens.ts';

type Services = Pick<HostServices, 'store' | 'outbound' | 'settings' | 'log'>;

const pollMs = 60_000;

/**
 * Has the daily root of all chains stamped by an external authority (RFC 3161), if one is set. If that fails, the
 * failure is recorded and retried: the service's own clock never replaces the stamp. Several processes share the work.
 */
export function createStampKeeper({ store, outbound, settings, log }: Services): BackgroundWork {
  const { timestampUrl } = settings;
  const { roots } = store.signings;
  const loop = createBackgroundLoop(run);

  async function stamp(url: string, day: string, root: string): Promise<void> {
    const request = timestampRequest(root);
    const answer = await outbound.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: Buffer.from(request.der),
      signal: loop.signal,
    });
    if (answer.status !== 200) throw new Error(`the stamp server answered ${answer.status}`);
    const { token, at } = readTimestamp(new Uint8Array(await answer.arrayBuffer()), request);
    await roots.recordStamp(day, Buffer.from(token), at);
  }

  /** @returns whether there may be more to stamp */
  async function stampNext(url: string): Promise<boolean> {
    await roots.make();
    const due = await roots.takeDue();
    if (due === undefined) return false;
    try {
      await stamp(url, due.day, due.root);
    } catch (error) {
      if (loop.signal.aborted) return false;
      const message = error instanceof Error ? error.message : String(error);
      await roots.recordFailure(due.day, message.slice(0, 500));
      log.warn({ day: due.day, err: error }, 'the root of a day was not stamped; it is asked for again');
    }
    return true;
  }

  async function run(): Promise<void> {
    while (!loop.signal.aborted && timestampUrl !== undefined) {
      let hasMore = false;
      try {
        hasMore = await stampNext(timestampUrl);
      } catch (error) {
        if (!loop.signal.aborted) log.error({ err: error }, 'stamping the root of a day failed');
      }
      if (!hasMore) await loop.sleep(pollMs);
    }
  }

  return loop;
}
