import type { HostApp, RequestWatcher } from '@waiver-service/http';
import { Store } from '@waiver-service/integration';
import { inject, injectable } from 'inversify';

/**
 * Shares the result of work with all callers while it runs and for `cacheMs` afterwards, so that it runs once at a
 * time, however many call. Shares failures, too.
 */
export function shareResult<Result>(work: () => Promise<Result>, cacheMs: number): () => Promise<Result> {
  let shared: Promise<Result> | undefined;
  const start = () => {
    const result = work();
    const forget = () => {
      setTimeout(() => {
        shared = undefined;
      }, cacheMs).unref();
    };
    result.then(forget, forget);
    return result;
  };
  return () => {
    shared ??= start();
    return shared;
  };
}

// Probes ask every few seconds; more frequent requests get the previous result.
const cacheMs = 250;

/** Whether this host should receive traffic. Queries the database once at a time. */
@injectable()
export class Readiness implements RequestWatcher {
  private readonly sharedAnswer = shareResult(() => this.store.ready(), cacheMs);
  private draining = false;

  constructor(@inject(Store) private readonly store: Pick<Store, 'ready'>) {}

  /** Why it should not, as a sentence; `undefined` if it should. */
  async refusal(): Promise<string | undefined> {
    if (this.draining) return 'The host is about to end: send the work to another one.';
    const answer = await this.sharedAnswer();
    if (answer.isReady) return undefined;
    return (
      answer.reason ?? 'The database cannot be reached, takes no writes, or its migrations are not done.'
    );
  }

  /** Makes the host not ready, because it is about to stop. */
  drain(): void {
    this.draining = true;
  }

  /**
   * Sends `connection: close` while the host drains: otherwise a client that reuses connections, such as a proxy, could
   * send its next request at the moment when the host closes one.
   */
  watch(app: HostApp): void {
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.draining) reply.header('connection', 'close');
      done();
    });
  }
}
