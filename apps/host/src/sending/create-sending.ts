import { AlertStore, createAlertSender, Mailer } from '@waiver-service/alerts';
import {
  createDispatcher,
  createWebhookSender,
  type DispatcherListener,
  startAttemptPruner,
} from '@waiver-service/delivery';
import { BookingReader, BookingSystemConnector, Outbound } from '@waiver-service/integration';
import { createInvitationSender, InvitationStore } from '@waiver-service/invitations';
import { inject, injectable, type ServiceIdentifier } from 'inversify';
import { HostSettings } from '../settings/host-settings.ts';
import { createGuestUpdateSender } from './guest-update-sender.ts';

// In addition to the timeout: to connect, and to record.
const marginMs = 2_000;

/** Is told what the dispatcher does. */
export const DispatcherEvents: ServiceIdentifier<DispatcherListener> = Symbol('DispatcherEvents');

/** The background sending of this process: the dispatcher with its four senders, and the pruner of old attempts. */
@injectable()
export class Sending {
  private readonly dispatcher = createDispatcher({
    outbox: this.store.outbox,
    senders: {
      guestUpdate: createGuestUpdateSender({
        connector: this.connector,
        bookings: this.store.bookings,
        installations: this.store.installations,
        signings: this.store.signings,
        timeoutMs: this.settings.outboundTimeout,
      }),
      guestWebhook: createWebhookSender({
        outbound: this.outbound,
        endpointOf: (destination) => this.store.webhooks.byDestination(destination),
      }),
      alert: createAlertSender({
        outbound: this.outbound,
        mailer: this.mailer,
        alertOf: (destination) => this.alertStore.alerts.byDestination(destination),
      }),
      invitation: createInvitationSender({
        store: this.store,
        bookingReader: this.bookingReader,
        mailer: this.mailer,
      }),
    },
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
    @inject(HostSettings) private readonly settings: HostSettings,
    @inject(InvitationStore) private readonly store: InvitationStore,
    @inject(AlertStore)
    private readonly alertStore: { readonly alerts: Pick<AlertStore['alerts'], 'byDestination'> },
    @inject(Outbound) private readonly outbound: Outbound,
    @inject(BookingSystemConnector) private readonly connector: Pick<BookingSystemConnector, 'connect'>,
    @inject(BookingReader) private readonly bookingReader: Pick<BookingReader, 'read' | 'readNow'>,
    @inject(Mailer) private readonly mailer: Mailer | undefined,
    @inject(DispatcherEvents) private readonly onEvent: DispatcherListener,
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
