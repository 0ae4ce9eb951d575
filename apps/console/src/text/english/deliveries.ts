import type { ErrorCode } from '../../api/resources.ts';
import { count } from '../formats.ts';

/** Each error code's text. */
export const errorTexts: Readonly<Record<ErrorCode, string>> = {
  dns_error: 'DNS lookup failed',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection lost',
  timeout: 'Timed out',
  tls_error: 'Certificate not trusted',
  redirect: 'Redirect (not followed)',
  response_too_large: 'Response too large',
  http_status: 'Error status',
  not_accepted: 'Response says not accepted',
  blocked_address: 'Private address, not allowed',
};
// Attempts may have other codes.
const errorCodes: Readonly<Record<string, string>> = errorTexts;

const outcomes: Readonly<Record<string, string>> = {
  accepted: 'Delivered',
  'nothing-written': 'Nothing written',
  refused: 'Refused',
  'in-doubt': 'In doubt',
  'own-fault': 'Internal error',
};

const triggers: Readonly<Record<string, string>> = {
  schedule: 'scheduled',
  manual: 'manual',
  probe: 'probe',
  test: 'test',
};

export const deliveriesTexts = {
  errorCodes: (code: string | undefined) => (code === undefined ? '–' : (errorCodes[code] ?? code)),
  outcomes: (outcome: string) => outcomes[outcome] ?? outcome,
  triggers: (trigger: string) => triggers[trigger] ?? trigger,
  deliveryKinds: {
    'guest-update': 'Guest Update',
    'guest-webhook': 'Webhook',
    alert: 'Alert',
    invitation: 'Mail',
  },
  deliveryStates: {
    waiting: 'Waiting',
    sending: 'Sending',
    delivered: 'Delivered',
    dead: 'Failed',
    held: 'Held',
    superseded: 'Superseded',
    cancelled: 'Cancelled',
  },
  deliveries: {
    lead: 'Every message to a booking system or a webhook, sent or waiting.',
    recover: 'Retry failed…',
    none: 'No deliveries',
    noneHint:
      'Each stored, changed or voided waiver creates a message to each booking system and webhook of its pool.',
    noMatch: 'No message matches these filters',
    noMatchHint: 'Remove a filter or widen the period.',
    readOn: 'None found so far. Keep searching',
  },
  lane: {
    title: 'Lane',
    lead: (orderedBy: 'waiver' | 'booking', key: string) =>
      `Messages of ${orderedBy === 'waiver' ? 'this waiver' : `the booking ${key}`} go to this destination one at a time, in this order.`,
    waits: 'This delivery',
    ended: 'This delivery is not waiting',
    nothingElse: 'Nothing else is waiting in it.',
    more: (more: number) => (more >= 990 ? 'and 990 or more' : `and ${count(more)} more`),
    due: 'due',
  },
  delivery: {
    title: 'Delivery',
    facts: 'Delivery',
    attempts: 'Attempts',
    noAttempts: 'Not attempted yet',
    noAttemptsHint: 'Each attempt to send it is listed here, with the response.',
    nextTry: 'Next attempt',
    heldBack: 'Its destination is paused. It will be sent when the destination is resumed.',
    body: 'Body',
    notWritten: 'Not everything was written',
    cancelledBecause: 'Cancelled',
    status: (status: number) => `HTTP ${status}`,
    duration: (ms: number) => `${count(ms)} ms`,
    retry: 'Retry',
    retryLead:
      'It will be sent again when its turn comes. If a newer version of the waiver has been sent to this destination since, that version is sent again instead.',
    retried: 'Retry queued.',
    retriedNewer: 'Retry queued for the newest version of the waiver.',
  },
  recover: {
    title: 'Retry failed deliveries',
    lead: (pool: string | undefined, isOneDestination: boolean) =>
      `All deliveries that failed permanently ${isOneDestination ? 'at this destination' : pool === undefined ? 'in all pools' : `in ${pool}`} since the time below are sent again, oldest first.`,
    since: 'Created in',
    confirm: 'Retry all',
    progress: (recovered: number, total: number) => `${count(recovered)} of ${count(total)} queued again`,
    done: 'All of them are queued again.',
  },
} as const;
