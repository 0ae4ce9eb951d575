import type { BookingSystemItem, ErrorCode } from '../api/resources.ts';
import { count, formatCalendarDay, plural } from './formats.ts';

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
  version: (version: number) => `Version ${version}`,
  actions: {
    more: 'Show more',
    cancel: 'Cancel',
    close: 'Close',
    copied: 'Copied',
    copy: 'Copy',
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
  /** The source of a plugin. */
  tier: (tier: BookingSystemItem['tier']) =>
    typeof tier === 'object'
      ? `Seen live since ${formatCalendarDay(tier.liveSince)}`
      : tier === 'recorded'
        ? 'Recorded from a real account'
        : 'Built from documents',
  forms: { current: 'Contract', legacy: 'Contract (legacy)', native: 'Native' },
  bookings: {
    id: 'Booking id',
    read: 'Read',
    warnings: (warnings: number) =>
      warnings === 0 ? 'Read without warnings.' : plural(warnings, 'warning', 'warnings'),
    signedOf: (signed: number, pax: number | null) =>
      pax === null ? `Signed ${count(signed)}` : `Signed ${count(signed)} of ${count(pax)}`,
    normalized: 'Normalized booking',
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
    redacted: 'Your role does not include guests’ data.',
  },
  pools: {
    id: 'Pool id',
    none: 'No pools',
    noneHint: 'Each operator’s waiver app is one. Add the first one to install a booking system for it.',
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
  keys: { revoke: 'Revoke', revoked: 'Revoked.' },
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
