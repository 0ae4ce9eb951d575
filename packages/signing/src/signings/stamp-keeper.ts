import { readTimestamp, timestampRequest } from '@waiver-service/evidence';
import { BackgroundLoop, Log, Outbound } from '@waiver-service/integration';
import { inject, injectable } from 'inversify';
import { SigningStore } from '../data/signing-store.ts';
import { SigningSettings } from '../signing-settings.ts';

const pollMs = 60_000;

/**
 * Has the daily root of all chains stamped by an external authority (RFC 3161), if one is set. If that fails, the
 * failure is recorded and retried: the service's own clock never replaces the stamp. Several processes share the work.
 */
@injectable()
export class StampKeeper extends BackgroundLoop {
  constructor(
    @inject(SigningSettings) private readonly settings: SigningSettings,
    @inject(SigningStore) private readonly store: SigningStore,
    @inject(Log) private readonly log: Log,
    @inject(Outbound) private readonly outbound: Outbound,
  ) {
    super();
  }

  private async stamp(url: string, day: string, root: string): Promise<void> {
    const request = timestampRequest(root);
    const answer = await this.outbound.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: Buffer.from(request.der),
      signal: this.signal,
    });
    if (answer.status !== 200) throw new Error(`the stamp server answered ${answer.status}`);
    const { token, at } = readTimestamp(new Uint8Array(await answer.arrayBuffer()), request);
    await this.store.signings.roots.recordStamp(day, Buffer.from(token), at);
  }

  /** @returns whether there may be more to stamp */
  private async stampNext(url: string): Promise<boolean> {
    await this.store.signings.roots.make();
    const due = await this.store.signings.roots.takeDue();
    if (due === undefined) return false;
    try {
      await this.stamp(url, due.day, due.root);
    } catch (error) {
      if (this.signal.aborted) return false;
      const message = error instanceof Error ? error.message : String(error);
      await this.store.signings.roots.recordFailure(due.day, message.slice(0, 500));
      this.log.warn({ day: due.day, err: error }, 'the root of a day was not stamped; it is asked for again');
    }
    return true;
  }

  protected async run(): Promise<void> {
    while (!this.signal.aborted && this.settings.timestampUrl !== undefined) {
      let hasMore = false;
      try {
        hasMore = await this.stampNext(this.settings.timestampUrl);
      } catch (error) {
        if (!this.signal.aborted) this.log.error({ err: error }, 'stamping the root of a day failed');
      }
      if (!hasMore) await this.sleep(pollMs);
    }
  }
}
