import {
  createDispatcher,
  createWebhookSender,
  type DispatcherListener,
  startAttemptPruner,
} from '@waiver-service/delivery';
import type { Outbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import type { BookingSystemConnector } from '../booking-systems/booking-system-connection.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { createGuestUpdateSender } from './guest-update-sender.ts';

export interface SendingParts {
  readonly settings: HostSettings;
  readonly store: Pick<Store, 'bookings' | 'outbox' | 'installations' | 'webhooks'>;
  readonly outbound: Outbound;
  readonly connector: Pick<BookingSystemConnector, 'connect'>;
  readonly onEvent: DispatcherListener;
}

/** The background sending of this process. */
export interface Sending {
  /** Deliveries in flight in this process. */
  readonly inFlight: number;
  start(): void;
  /** Claims nothing more, records what is in flight and gives the rest back. */
  stop(): Promise<void>;
}

// In addition to the timeout: to connect, and to record.
const marginMs = 2_000;

/** Creates the dispatcher with its two senders, and the pruner of old attempts. */
export function createSending({ settings, store, outbound, connector, onEvent }: SendingParts): Sending {
  const { outbox, webhooks } = store;
  const dispatcher = createDispatcher({
    outbox,
    senders: {
      guestUpdate: createGuestUpdateSender({
        connector,
        bookings: store.bookings,
        timeoutMs: settings.outboundTimeout,
      }),
      guestWebhook: createWebhookSender({
        outbound,
        endpointOf: (destination) => webhooks.byDestination(destination),
      }),
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
      pruner ??= startAttemptPruner({ outbox, retentionMs: settings.attemptRetention, onEvent });
    },
    async stop() {
      await Promise.all([dispatcher.stop(), pruner?.stop()]);
    },
  };
}
