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
    noMatch: 'No message matches these filters',
  },
  lane: {
    more: (more: number) => (more >= 990 ? 'and 990 or more' : `and ${count(more)} more`),
  },
  delivery: {
    nextTry: 'Next attempt',
    body: 'Body',
    status: (status: number) => `HTTP ${status}`,
  },
  recover: {
    title: 'Retry failed deliveries',
    lead: (pool: string | undefined, isOneDestination: boolean) =>
      `All deliveries that failed permanently ${isOneDestination ? 'at this destination' : pool === undefined ? 'in all pools' : `in ${pool}`} since the time below are sent again, oldest first.`,
  },
} as const;
