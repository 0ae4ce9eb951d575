import {
  createWebhookSender,
  type InDoubt,
  type Refused,
  type Sender,
  type Untimed,
} from '@waiver-service/delivery';
import { scrubSecrets } from '@waiver-service/http';
import type { Outbound } from '@waiver-service/integration';
import type { OutboundMessage } from '@waiver-service/outbox';
import type { Alert } from './data/alerts.ts';
import { asWords } from './mail-text.ts';
import type { Mailer } from './mailer.ts';

/** The body of an alert, as the store writes it. */
interface AlertBody {
  readonly type: string;
  readonly at: string;
  readonly pool?: string;
  readonly message: string;
  readonly link: string;
}

const subjects: Readonly<Record<string, string>> = {
  'delivery.dead': 'Messages were given up',
  'destination.failing': 'A destination fails',
  'destination.paused': 'A destination is paused',
  'destination.recovered': 'A destination works again',
  'installation.auth_rejected': 'A booking system rejects the key',
  'installation.pending': 'An installation waits for approval',
  fault: 'A fault of the service',
  test: 'A test',
};

const maxResponseLength = 4_096;
const maxSubjectLength = 150;
const maxMessageLength = 2_000;
const errorCodes: Readonly<Record<string, string>> = {
  EDNS: 'dns_error',
  ETLS: 'tls_error',
  ETIMEDOUT: 'timeout',
  EABORT: 'timeout',
};
/** Errors before any message was handed over. */
const beforeMessage = new Set(['EDNS', 'ETLS', 'EREQUIRETLS', 'EAUTH', 'ENOAUTH', 'EENVELOPE', 'ECONFIG']);

export const textIn = (error: Error, name: string): string | undefined => {
  const value = Object.entries(error).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : undefined;
};

const replyCodeOf = (error: Error) =>
  'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : undefined;

function errorCodeOf(error: Error): string {
  if (replyCodeOf(error) !== undefined) return 'not_accepted';
  if (error.message.includes('ECONNREFUSED')) return 'connection_refused';
  return errorCodes[textIn(error, 'code') ?? ''] ?? 'connection_reset';
}

/** The failure of a mail. The status is the server's reply code, such as 550. */
export function mailFailure(error: Error): Untimed<Refused | InDoubt> {
  const status = replyCodeOf(error);
  const reply = textIn(error, 'response');
  const isRefused =
    status !== undefined ||
    beforeMessage.has(textIn(error, 'code') ?? '') ||
    textIn(error, 'command') === 'CONN' ||
    error.message.includes('ECONNREFUSED');
  return {
    outcome: isRefused ? 'refused' : 'in-doubt',
    errorCode: errorCodeOf(error),
    // 535 (wrong password) follows the schedule: correcting it may take an operator longer than three attempts.
    retry: status !== undefined && status >= 550 && status < 560 ? 'three-attempts' : 'schedule',
    ...(status === undefined ? {} : { status }),
    ...(reply === undefined ? {} : { response: scrubSecrets(reply).slice(0, maxResponseLength) }),
  };
}

/** Sends an alert by mail. */
export async function sendAlertMail(
  mailer: Mailer,
  to: string,
  alert: Pick<OutboundMessage, 'id' | 'body'>,
  signal: AbortSignal,
): ReturnType<Sender> {
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  const { type, pool, at, message: text, link }: AlertBody = JSON.parse(alert.body);
  const subject = subjects[type] ?? type;
  const ofPool = pool === undefined ? '' : ` (${asWords(pool, maxSubjectLength)})`;
  try {
    const response = await mailer.send(
      {
        id: alert.id,
        to,
        subject: `[Waiver service] ${subject}${ofPool}`,
        // Ids, addresses and partners' answers stand in it: the only link is ours.
        text: `${asWords(text, maxMessageLength)}\n\n${link}\n\n${at}\n`,
      },
      signal,
    );
    return { outcome: 'accepted', response, durationMs: durationMs() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ...mailFailure(error), durationMs: durationMs() };
  }
}

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
