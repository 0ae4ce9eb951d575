import { count } from './numbers.ts';

const errorCodes: Readonly<Record<string, string>> = {
  dns_error: 'The name could not be looked up',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection lost',
  timeout: 'No answer in time',
  tls_error: 'The certificate is not trusted',
  redirect: 'It redirects, which is not followed',
  response_too_large: 'The answer is too large',
  http_status: 'Refused by its status',
  not_accepted: 'Answered that it was not accepted',
  blocked_address: 'The address is private, and not allowed',
};

const outcomes: Readonly<Record<string, string>> = {
  accepted: 'Delivered',
  'nothing-written': 'Nothing written',
  refused: 'Refused',
  'in-doubt': 'In doubt',
  'own-fault': 'Our own fault',
};

const triggers: Readonly<Record<string, string>> = {
  schedule: 'by schedule',
  manual: 'by a person',
  probe: 'as a probe',
  test: 'as a test',
};

export const deliveriesTexts = {
  errorCodes: (code: string | undefined) => (code === undefined ? '–' : (errorCodes[code] ?? code)),
  outcomes: (outcome: string) => outcomes[outcome] ?? outcome,
  triggers: (trigger: string) => triggers[trigger] ?? trigger,
  deliveryKinds: { 'guest-update': 'Guest Update', 'guest-webhook': 'Webhook', alert: 'Alert' },
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
    lead: 'Every message to a booking system or a webhook: sent, or waiting to be.',
    recover: 'Retry failed…',
    none: 'No deliveries',
    noneHint: 'No message fits these filters.',
    readOn: 'None so far. Read on',
  },
  lane: {
    title: 'Its lane',
    lead: (orderedBy: 'waiver' | 'booking', key: string) =>
      `Messages of the ${orderedBy} ${key} go to this destination one at a time, in this order.`,
    waits: 'This delivery waits here',
    ended: 'This delivery does not wait',
    nothingElse: 'Nothing else waits in it.',
    more: (more: number) => (more >= 990 ? 'and 990 or more' : `and ${count(more)} more`),
    due: 'due',
  },
  delivery: {
    title: 'Delivery',
    facts: 'Delivery',
    attempts: 'Attempts',
    noAttempts: 'Not attempted yet',
    nextTry: 'Next attempt',
    heldBack: 'Its destination is paused: it is sent when that is resumed.',
    body: 'Body',
    notWritten: 'Not everything was written',
    cancelledBecause: 'Cancelled',
    status: (status: number) => `HTTP ${status}`,
    duration: (ms: number) => `${count(ms)} ms`,
    retry: 'Retry',
    retryLead:
      'It is sent again as soon as its turn comes. If a newer version of the waiver was sent to this destination meanwhile, that one is sent again instead.',
    retried: 'It is sent again.',
    retriedNewer: 'The newest version of the waiver is sent again.',
  },
  recover: {
    title: 'Retry failed deliveries',
    lead: (pool: string | undefined, isOneDestination: boolean) =>
      `All deliveries that failed for good ${isOneDestination ? 'at this destination' : pool === undefined ? 'in all pools' : `in ${pool}`} since the time below are sent again, oldest first.`,
    since: 'Created in',
    confirm: 'Retry all',
    progress: (recovered: number, total: number) => `${count(recovered)} of ${count(total)} opened again`,
    done: 'All of them are open again.',
  },
} as const;
