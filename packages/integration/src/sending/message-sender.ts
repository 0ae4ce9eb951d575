import type { Sender, Senders } from '@waiver-service/delivery';
import type { ServiceIdentifier } from 'inversify';

/** Sends the messages of a kind. Bound by the feature that writes them. */
export interface MessageSender {
  readonly kind: keyof Senders;
  readonly send: Sender;
}
export const MessageSender: ServiceIdentifier<MessageSender> = Symbol('MessageSender');

/** @throws for messages of a kind that no feature of this host sends: they wait for a host that does */
export function sendersOf(given: readonly MessageSender[]): Senders {
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
