import type { InDoubt, Refused, Sender, Untimed } from '@waiver-service/delivery';
import { scrubSecrets } from '@waiver-service/http';
import type { OutboundMessage } from '@waiver-service/outbox';
import { asWords } from './as-words.ts';
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
