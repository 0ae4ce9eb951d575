import { createWebhookSender, type Sender } from '@waiver-service/delivery';
import type { Outbound } from '@waiver-service/integration';
import type { Alert } from './data/alerts.ts';
import { sendAlertMail } from './mail-sender.ts';
import type { Mailer } from './mailer.ts';

export interface AlertSenderParts {
  readonly outbound: Pick<Outbound, 'endpoint'>;
  /** Undefined without `SMTP_URL`. */
  readonly mailer: Mailer | undefined;
  readonly alertOf: (destination: string) => Promise<Pick<Alert, 'target'> | undefined>;
}

/** Creates the sender of alerts: by webhook, like any other webhook, and by mail. */
export function createAlertSender({ outbound, mailer, alertOf }: AlertSenderParts): Sender {
  return async (message, signal, limits) => {
    const { settingsVersion: _, ...unversioned } = message;
    const target = (await alertOf(message.destination))?.target;
    // The alert was removed after its message had been claimed.
    if (target === undefined) throw new Error(`destination ${message.destination} is no alert any more`);
    if (target.kind === 'webhook') {
      const send = createWebhookSender({ outbound, endpointOf: async () => target });
      // Without a version the connection is not cached, so that a change applies at once.
      return send(unversioned, signal, limits);
    }
    if (mailer === undefined) throw new Error('SMTP_URL is not set, and an alert goes to a mail address');
    return sendAlertMail(mailer, target.email, unversioned, signal);
  };
}
