import {
  createDispatcher,
  createWebhookSender,
  type DispatcherListener,
  type Sender,
  type Senders,
  startAttemptPruner,
} from '@waiver-service/delivery';
import { Faults } from '@waiver-service/http';
import {
  type ContainerModuleLoadOptions,
  inject,
  injectable,
  multiInject,
  type ServiceIdentifier,
} from 'inversify';
import { BackgroundWork } from '../background-loop.ts';
import { CheckIn, IntegrationSettings, Log, Outbound, Store } from '../given.ts';
import { BookingSystemConnector } from '../plugins/connect-booking-system.ts';
import { AttemptTracing, reportDispatcher } from './dispatcher-events.ts';
import { createGuestUpdateSender } from './guest-update-sender.ts';

/** Sends the messages of a kind. Bound by the feature that writes them. */
export interface MessageSender {
  readonly kind: keyof Senders;
  readonly send: Sender;
}
export const MessageSender: ServiceIdentifier<MessageSender> = Symbol('MessageSender');

/** @throws for messages of a kind that no feature of this host sends: they wait for a host that does */
function sendersOf(given: readonly MessageSender[]): Senders {
  const senderOf = (kind: keyof Senders): Sender =>
    given.find((each) => each.kind === kind)?.send ??
    (() => Promise.reject(new Error(`no feature of this host sends messages of the kind ${kind}`)));
  return {
    guestUpdate: senderOf('guestUpdate'),
    guestWebhook: senderOf('guestWebhook'),
    alert: senderOf('alert'),
    invitation: senderOf('invitation'),
  };
}

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

const guestUpdates = (
  connector: BookingSystemConnector,
  { bookings, installations }: Store,
  checkIn: CheckIn,
  { outboundTimeout: timeoutMs }: IntegrationSettings,
): MessageSender => ({
  kind: 'guestUpdate',
  send: createGuestUpdateSender({ connector, bookings, installations, checkIn, timeoutMs }),
});

const guestWebhooks = (outbound: Outbound, { webhooks }: Store): MessageSender => ({
  kind: 'guestWebhook',
  send: createWebhookSender({
    outbound,
    endpointOf: (destination) => webhooks.byDestination(destination),
  }),
});

/** The dispatcher, which sends the messages of the store's outbox, and the senders of the contract's own. */
export function bindSending({ bind }: ContainerModuleLoadOptions): void {
  bind(MessageSender).toResolvedValue(guestUpdates, [
    BookingSystemConnector,
    Store,
    CheckIn,
    IntegrationSettings,
  ]);
  bind(MessageSender).toResolvedValue(guestWebhooks, [Outbound, Store]);
  bind(DispatcherEvents).toResolvedValue(reportDispatcher, [Log, Faults, AttemptTracing]);
  bind(Sending).toSelf();
  bind(BackgroundWork).toService(Sending);
}
