import { createDispatcher, type DispatcherListener, startAttemptPruner } from '@waiver-service/delivery';
import { inject, injectable, multiInject, type ServiceIdentifier } from 'inversify';
import { Store } from '../given.ts';
import { MessageSender, sendersOf } from './message-sender.ts';

// In addition to the timeout: to connect, and to record.
const marginMs = 2_000;

/** Durations in milliseconds; their settings are described in docs/settings.md. */
export interface SendingSettings {
  readonly retrySchedule: readonly number[];
  readonly outboundTimeout: number;
  readonly deliveryConcurrency: number;
  readonly destinationConcurrency: number;
  readonly pauseAfter: number;
  readonly probeInterval: number;
  readonly attemptRetention: number;
  /** The time between two rounds of pruning. */
  readonly pruneInterval: number;
}
export const SendingSettings: ServiceIdentifier<SendingSettings> = Symbol('SendingSettings');

/** Is told what the dispatcher does. Bound by each feature that reports it. */
export const DispatcherEvents: ServiceIdentifier<DispatcherListener> = Symbol('DispatcherEvents');

/** The background sending of this process: the dispatcher with the senders of features, and the pruner of old attempts. */
@injectable()
export class Sending {
  private readonly onEvent: DispatcherListener = (event) => {
    for (const listener of this.listeners) listener(event);
  };
  private readonly dispatcher = createDispatcher({
    outbox: this.store.outbox,
    senders: sendersOf(this.senders),
    policy: {
      retrySchedule: this.settings.retrySchedule,
      pauseAfterMs: this.settings.pauseAfter,
      probeIntervalMs: this.settings.probeInterval,
    },
    concurrency: this.settings.deliveryConcurrency,
    destinationConcurrency: this.settings.destinationConcurrency,
    stopWithinMs: this.settings.outboundTimeout + marginMs,
    onEvent: this.onEvent,
  });
  private pruner: { stop(): Promise<void> } | undefined;

  constructor(
    @inject(SendingSettings) private readonly settings: SendingSettings,
    @inject(Store) private readonly store: Pick<Store, 'outbox'>,
    @multiInject(MessageSender) private readonly senders: readonly MessageSender[],
    @multiInject(DispatcherEvents) private readonly listeners: readonly DispatcherListener[],
  ) {}

  /** Deliveries in flight in this process. */
  get inFlight(): number {
    return this.dispatcher.inFlight;
  }

  start(): void {
    this.dispatcher.start();
    const { attemptRetention: retentionMs, pruneInterval: everyMs } = this.settings;
    this.pruner ??= startAttemptPruner({
      outbox: this.store.outbox,
      retentionMs,
      everyMs,
      onEvent: this.onEvent,
    });
  }

  /** Claims nothing more, records the deliveries in flight, and releases the rest. */
  async stop(): Promise<void> {
    await Promise.all([this.dispatcher.stop(), this.pruner?.stop()]);
  }
}
