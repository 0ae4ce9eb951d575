import { createWebhookSender } from '@waiver-service/delivery';
import { Faults } from '@waiver-service/http';
import type { ContainerModuleLoadOptions } from 'inversify';
import { BackgroundWork } from '../background-loop.ts';
import { CheckIn } from '../check-in.ts';
import { Log, Outbound, Store } from '../given.ts';
import { IntegrationSettings } from '../integration-settings.ts';
import { BookingSystemConnector } from '../plugins/connect-booking-system.ts';
import { DispatcherEvents, Sending } from './create-sending.ts';
import { AttemptTracing, reportDispatcher } from './dispatcher-events.ts';
import { createGuestUpdateSender } from './guest-update-sender.ts';
import { MessageSender } from './message-sender.ts';

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
