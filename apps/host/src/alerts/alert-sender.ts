import { createWebhookSender, type Sender } from '@waiver-service/delivery';
import type { Outbound } from '@waiver-service/outbound';
import type { Alert, AlertTarget } from '@waiver-service/store';
import { createMailSender } from './mail-sender.ts';
import type { Mailer } from './mailer.ts';

export interface AlertSenderParts {
  readonly outbound: Pick<Outbound, 'endpoint'>;
  /** Undefined without `SMTP_URL`. */
  readonly mailer: Mailer | undefined;
  readonly alertOf: (destination: string) => Promise<Pick<Alert, 'target'> | undefined>;
}

/** Creates the sender of alerts: by webhook, like any other webhook, and by mail. */
export function createAlertSender({ outbound, mailer, alertOf }: AlertSenderParts): Sender {
  async function targetOf<Kind extends AlertTarget['kind']>(destination: string, kind: Kind) {
    const target = (await alertOf(destination))?.target;
    const isOfKind = (one: AlertTarget): one is Extract<AlertTarget, { kind: Kind }> => one.kind === kind;
    return target !== undefined && isOfKind(target) ? target : undefined;
  }
  const webhook = createWebhookSender({
    outbound,
    endpointOf: (destination) => targetOf(destination, 'webhook'),
  });
  const mail =
    mailer &&
    createMailSender(mailer, async (destination) => {
      const target = await targetOf(destination, 'email');
      if (target === undefined) throw new Error(`destination ${destination} has no mail address`);
      return target.email;
    });
  return async (message, signal, limits) => {
    const { settingsVersion: _, ...unversioned } = message;
    const target = (await alertOf(message.destination))?.target;
    // The alert was removed after its message had been claimed.
    if (target === undefined) throw new Error(`destination ${message.destination} is no alert any more`);
    // Without a version the connection is not cached, so that a change applies at once.
    if (target.kind === 'webhook') return webhook(unversioned, signal, limits);
    if (mail === undefined) throw new Error('SMTP_URL is not set, and an alert goes to a mail address');
    return mail(unversioned, signal, limits);
  };
}
