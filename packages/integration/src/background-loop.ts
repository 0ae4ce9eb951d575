import { createWakeTimer } from '@waiver-service/delivery';
import type { ServiceIdentifier } from 'inversify';

/** Work that a process does in the background; several processes share it. */
export interface BackgroundWork {
  start(): void;
  /** Looks for work now instead of at the next poll. */
  wake(): void;
  /** Aborts the current work, which a later run repeats, and ends the loop. */
  stop(): Promise<void>;
}

/** Bound by each feature with such work. Not started in a host that only serves the API. */
export const BackgroundWork: ServiceIdentifier<Pick<BackgroundWork, 'start' | 'stop'>> =
  Symbol('BackgroundWork');

/** A loop of {@link BackgroundWork}. */
export abstract class BackgroundLoop implements BackgroundWork {
  private readonly stopping = new AbortController();
  private readonly timer = createWakeTimer();
  private running: Promise<void> | undefined;
  /** Aborted by `stop`. */
  protected readonly signal: AbortSignal = this.stopping.signal;

  /** The loop, which ends when the signal is aborted. */
  protected abstract run(): Promise<void>;

  start(): void {
    this.running ??= this.run();
  }

  wake(): void {
    this.timer.wake();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.timer.wake();
    await this.running;
    this.timer.clear();
  }

  /** Resolves when woken, or after a time. */
  protected sleep(maxMs: number): Promise<void> {
    return this.timer.sleep(maxMs);
  }
}
