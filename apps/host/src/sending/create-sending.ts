import {
  createDispatcher,
  createWebhookSender,
  type DispatcherListener,
  startAttemptPruner,
} from '@waiver-service/delivery';
import type { Outbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import { createAlertSender } from '../alerts/alert-sender.ts';
import type { Mailer } from '../alerts/mailer.ts';
import type { BookingReader } from '../booking-reading/booking-reader.ts';
import type { BookingSystemConnector } from '../booking-systems/booking-system-connection.ts';
import { createInvitationSender } from '../invitations/invitation-sender.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { createGuestUpdateSender } from './guest-update-sender.ts';

export interface SendingParts {
  readonly settings: HostSettings;
  readonly store: Store;
  readonly outbound: Outbound;
  readonly connector: Pick<BookingSystemConnector, 'connect'>;
  readonly bookingReader: BookingReader;
  /** Undefined without a mail server. */
  readonly mailer: Mailer | undefined;
  readonly onEvent: DispatcherListener;
}

/** The background sending of this process. */
export interface Sending {
  /** Deliveries in flight in this process. */
  readonly inFlight: number;
  start(): void;
  /** Claims nothing more, records the deliveries in flight, and releases the rest. */
  stop(): Promise<void>;
}

// In addition to the timeout: to connect, and to record.
const marginMs = 2_000;

/** Creates the dispatcher with its four senders, and the pruner of old attempts. */
export function createSending(parts: SendingParts): Sending {
  const { settings, store, outbound, connector, bookingReader, mailer, onEvent } = parts;
  const { outbox, webhooks, alerts } = store;
  const dispatcher = createDispatcher({
    outbox,
    senders: {
      guestUpdate: createGuestUpdateSender({
        connector,
        bookings: store.bookings,
        installations: store.installations,
        signings: store.signings,
        timeoutMs: settings.outboundTimeout,
      }),
      guestWebhook: createWebhookSender({
        outbound,
        endpointOf: (destination) => webhooks.byDestination(destination),
      }),
      alert: createAlertSender({
        outbound,
        mailer,
        alertOf: (destination) => alerts.byDestination(destination),
      }),
      invitation: createInvitationSender({ store, bookingReader, mailer }),
    },
    policy: {
      retrySchedule: settings.retrySchedule,
      pauseAfterMs: settings.pauseAfter,
      probeIntervalMs: settings.probeInterval,
    },
    concurrency: settings.deliveryConcurrency,
    destinationConcurrency: settings.destinationConcurrency,
    stopWithinMs: settings.outboundTimeout + marginMs,
    onEvent,
  });
  let pruner: { stop(): Promise<void> } | undefined;
  return {
    get inFlight() {
      return dispatcher.inFlight;
    },
    start() {
      dispatcher.start();
      const { attemptRetention: retentionMs, pruneInterval: everyMs } = settings;
      pruner ??= startAttemptPruner({ outbox, retentionMs, everyMs, onEvent });
    },
    async stop() {
      await Promise.all([dispatcher.stop(), pruner?.stop()]);
    },
  };
}
