import type { ErrorCode } from '../api/resources.ts';
import { count, plural } from './formats.ts';

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

const errorText = (code: string | undefined) => (code === undefined ? '–' : (errorCodes[code] ?? code));

/**
 * Words that several places show, and the names of the API's values. What one place shows stands there: the console is
 * in English only.
 */
export const texts = {
  product: 'Waiver service',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  pages: {
    overview: 'Overview',
    day: 'Day board',
    bookings: 'Bookings',
    waivers: 'Waivers',
    forms: 'Forms',
    deliveries: 'Deliveries',
    destinations: 'Destinations',
    pools: 'Pools',
    bookingSystems: 'Booking systems',
    alerts: 'Alerts',
    people: 'People',
    audit: 'Audit log',
  },
  loading: 'Loading…',
  actions: {
    more: 'Show more',
    cancel: 'Cancel',
    close: 'Close',
    copied: 'Copied',
    copy: 'Copy',
    discard: 'Discard',
    done: 'Done',
    keepEditing: 'Keep editing',
    no: 'No',
    remove: 'Remove',
    save: 'Save',
    selected: 'Selected: copy it now',
    test: 'Test',
    tryAgain: 'Try again',
    yes: 'Yes',
  },
  periods: { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' },
  fields: {
    actions: 'Actions',
    allPools: 'All pools',
    baseUrl: 'Base address',
    booking: 'Booking',
    bookingSystem: 'Booking system',
    contact: 'Contact',
    created: 'Created',
    destination: 'Destination',
    failingSince: 'Failing since',
    guest: 'Guest',
    id: 'Id',
    kind: 'Kind',
    lastError: 'Last error',
    lastUsed: 'Last used',
    lastVisit: 'Last visit',
    name: 'Name',
    period: 'Period',
    pool: 'Pool',
    state: 'State',
    status: 'Status',
    updated: 'Updated',
    version: 'Version',
    waiver: 'Waiver',
  },
  secrets: { once: 'Copy it now. It will not be shown again.' },
  overview: {
    paused: (paused: number) => (paused === 0 ? 'None paused' : `${count(paused)} paused`),
    delivered: 'Delivered',
    attemptsFailed: (failed: number) => plural(failed, 'attempt failed', 'attempts failed'),
  },
  forms: { current: 'Contract', legacy: 'Contract (legacy)', native: 'Native' },
  bookings: {
    id: 'Booking id',
    read: 'Read',
    ofDay: 'Bookings of a day',
    warnings: (warnings: number) =>
      warnings === 0 ? 'Read without warnings.' : plural(warnings, 'warning', 'warnings'),
    signed: 'Waivers',
    signedOf: (signed: number, pax: number | null) =>
      pax === null ? `Signed ${count(signed)}` : `Signed ${count(signed)} of ${count(pax)}`,
    unnamedGuest: 'Unnamed guest',
    missing: 'Missing',
    normalized: 'Normalized booking',
    raw: 'Raw response',
    marks: {
      answer: { changed: 'changed', moved: 'used elsewhere', unmatched: 'not used' },
      result: { changed: 'changed', moved: 'from elsewhere', unmatched: 'added' },
    },
    aged: (seconds: number) =>
      seconds < 120
        ? plural(seconds, 'second', 'seconds')
        : plural(Math.round(seconds / 60), 'minute', 'minutes'),
  },
  readSteps: {
    names: {
      resolve: 'Plugin and installation',
      address: 'Settings and base address',
      turn: 'Rate limit',
      session: 'Token',
      dns: 'DNS',
      connect: 'Connection',
      tls: 'TLS',
      request: 'Request',
      parse: 'Parse',
      form: 'Form',
      normalize: 'Normalize',
      warnings: 'Warnings',
    },
    states: { done: 'Done', failed: 'Failed', skipped: 'Not reached' },
    answer: (status: number, afterMs: number | undefined) =>
      afterMs === undefined
        ? `HTTP ${status}`
        : `HTTP ${status}, first byte after ${count(Math.round(afterMs))} ms`,
    size: (bytes: number, isWhole: boolean) =>
      isWhole ? plural(bytes, 'byte', 'bytes') : `the beginning of ${plural(bytes, 'byte', 'bytes')}`,
  },
  guests: { unnamed: 'No name given' },
  waiverStates: {
    signed: 'Signed',
    unfinished: 'In progress',
    voided: 'Voided',
    held: 'Held',
    erased: 'Erased',
  },
  waivers: {
    walkIn: 'Without a booking',
    by: (name: string) => `by ${name}`,
    empty: 'empty',
    notKept: 'not kept',
    versionFields: {
      bookingSystem: 'Booking system',
      bookingId: 'Booking',
      bookingGuestId: 'Guest in the booking',
      activities: 'Activities',
      lastVisit: 'Last visit',
      currentPage: 'Step',
      validUntil: 'Valid until',
      deleted: 'Voided',
    },
    told: (count: number) =>
      count === 0
        ? 'It has not been sent to any destination yet.'
        : `It was sent to ${count === 1 ? 'one destination' : `${count} destinations`}:`,
    heldBecause: (reason: string | null) =>
      reason === null ? 'Exempt from retention and erasure.' : `Exempt from retention and erasure: ${reason}`,
    version: (version: number) => `Version ${version}`,
    redacted: 'Your role does not include guests’ data.',
  },
  signing: {
    links: {
      booking: 'The link of the booking',
      guest: 'A link for this guest',
      desk: 'The desk’s link',
      kiosk: 'A kiosk',
      unknown: 'Not known',
    },
    proofs: { link: 'link to this guest', code: 'code by mail' },
    erased: 'erased',
    didWhat: {
      agree: 'Agreed',
      initial: 'Initialed',
      draw: 'Signed, drawn',
      type: 'Signed, typed',
    },
    leaf: 'Hash of the record',
    head: 'Signed head above it',
    key: 'Fingerprint of the pool’s key',
    statuses: { proven: 'Proven', 'not-proven': 'Not proven', erased: 'Erased', changed: 'Changed' },
  },
  pools: {
    id: 'Pool id',
    none: 'No pools',
    noneHint: 'Each operator’s waiver app is one. Add the first one to install a booking system for it.',
  },
  retention: {
    title: 'Retention',
    of: (days: number | null) =>
      days === null
        ? 'Waivers are kept forever.'
        : `${days} ${days === 1 ? 'day' : 'days'} after the visit; for minors, after their 18th birthday. A hold keeps a waiver longer.`,
  },
  webhooks: {
    auth: 'Authentication',
    authOf: ({ type, name }: { readonly type: 'none' | 'header' | 'basic'; readonly name?: string }) =>
      type === 'header' ? `Header ${name ?? ''}` : type === 'basic' ? 'Basic' : 'None',
    properties: 'Answers to send',
    signed: 'Signed',
    secret: 'Signing secret',
    removed: 'Removed.',
  },
  keys: {
    revoke: 'Revoke',
    revoked: 'Revoked.',
  },
  installationStatuses: {
    active: 'Active',
    paused: 'Paused',
    pending: 'Waiting for approval',
    needs_attention: 'Needs attention',
  },
  roles: { owner: 'Owner', operator: 'Operator', viewer: 'Viewer' },
  alertEvents: {
    'delivery.dead': 'Delivery failed permanently',
    'destination.failing': 'Destination failing',
    'destination.paused': 'Destination paused',
    'destination.recovered': 'Destination recovered',
    'installation.auth_rejected': 'Key rejected',
    'installation.pending': 'Installation to approve',
    fault: 'Service fault',
  },
  errorCodes: errorText,
  /** How a receiver answered. */
  resultOf: ({ status, errorCode }: { readonly status?: number; readonly errorCode?: string }) =>
    status === undefined ? errorText(errorCode) : `HTTP ${status}`,
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
} as const;
