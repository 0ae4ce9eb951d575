import { deliveriesTexts } from './english/deliveries.ts';
import { count, plural } from './formats.ts';

/**
 * Words that several places show, and the names of the API's values. What one place shows stands there: the console is
 * in English only.
 */
export const texts = {
  product: 'Waiver service',
  signIn: {
    token: 'Token',
  },
  shell: {
    pool: 'Pool',
    allPools: 'All pools',
  },
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
    copy: (label: string) => `Copy ${label}`,
    copyShort: 'Copy',
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
  filters: {
    toggle: (set: number) => (set === 0 ? 'Filters' : `Filters (${set})`),
    period: 'Period',
  },
  periods: { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' },
  fields: {
    actions: 'Actions',
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
  installations: {
    statuses: { active: 'Active', pending: 'Waiting for approval', needs_attention: 'Needs attention' },
    webhookStates: {
      registering: 'Registering',
      registered: 'Registered',
      failing: 'Registration failing',
    },
    sharesNothing: 'None',
    documentStates: { sent: 'Sent, without health answers', notSent: 'Not sent' },
    sendDocument: (name: string) => ({
      label: 'Send documents',
      title: `Send signed documents to ${name}?`,
      lead: 'With each waiver signed on the check-in page, the booking system gets a PDF of everything that was signed together: signatures, photos and all answers, including those not shared, except health answers. Everyone who sees the booking there can open it, and it cannot be taken back.',
      done: 'Documents are sent from now on.',
    }),
    stopDocument: (name: string) => ({
      label: 'Stop sending documents',
      title: `Stop sending signed documents to ${name}?`,
      lead: 'Those that were sent stay in the booking system.',
      done: 'No more documents are sent.',
    }),
  },
  webhooks: {
    url: 'URL',
    auth: 'Authentication',
    authTypes: { none: 'None', header: 'Header', basic: 'Basic' },
    authOf: ({ type, name }: { readonly type: 'none' | 'header' | 'basic'; readonly name?: string }) =>
      type === 'header' ? `Header ${name ?? ''}` : type === 'basic' ? 'Basic' : 'None',
    nameOf: { header: 'Header name', basic: 'User name' },
    secretOf: { header: 'Header value', basic: 'Password' },
    properties: 'Answers to send',
    signingHint: 'With a secret that is shown once (Standard Webhooks).',
    signed: 'Signed',
    secret: 'Signing secret',
    verifyTitle: 'Verify a signature',
    removed: 'Removed.',
  },
  keys: {
    revoke: 'Revoke',
    revoked: 'Revoked.',
  },
  accessTokens: {
    title: 'Access tokens',
    add: 'Create token',
    secret: 'Access token',
    none: 'No access tokens',
    noneHint:
      'The waiver app needs one to read bookings and store waivers. Create one for each app or device.',
    tryIt: 'In a shell, this reads the booking with it:',
    exampleCall: 'the call',
    revokeLead: 'Waiver apps that use it lose access at once.',
    nameHint: 'For example the device or program that uses it.',
    unnamed: 'Unnamed',
    rights: 'Scopes',
    everything: 'Everything',
    doesNotExpire: 'Does not expire',
    scopes: {
      'bookings:read': ['Read bookings', 'By id, to pre-fill waivers.'],
      'waivers:write': [
        'Store waivers',
        'Includes changing and voiding. With only this and reading bookings, others’ answers cannot be read: enough for a form on a guest’s device.',
      ],
      'waivers:read': ['Read waivers', 'One at a time, by its id, with its answers.'],
      'waivers:list': ['List waivers', 'All waivers of the pool with their answers, and every change.'],
      'check-in:write': [
        'Make links to check in',
        'Links with which guests sign on their phone; anyone who has one can sign.',
      ],
    },
  },
  destinationStates: { paused: 'Paused' },
  destinations: {
    installationStatuses: { pending: 'Waiting for approval', needs_attention: 'Needs attention' },
  },
  bookingSystems: {
    configured: 'Configured',
    notConfigured: 'Not configured',
    baseUrl: 'Base address',
    reads: 'Reads',
    takes: 'Stores waivers in',
    inbound: 'Announces changes',
    inboundKinds: { contract: 'As in the contract', native: 'Native', none: 'No' },
    statuses: 'Statuses',
    limits: 'Limits',
  },
  installKeys: {
    title: 'Install keys',
    add: 'Create key',
    secret: 'Install key',
    none: 'No install keys',
    noneHint: 'Booking systems use one to install themselves for pools.',
    revokeLead: 'Booking systems can no longer install themselves with it. Existing installations stay.',
  },
  roles: { owner: 'Owner', operator: 'Operator', viewer: 'Viewer' },
  people: {
    role: 'Role',
    expires: 'Expires',
    over: 'Expired',
    roleHints: {
      owner: 'Everything.',
      operator: 'Everything in its pools, except people, install keys and booking system settings.',
      viewer: 'Reads its pools without guests’ data.',
    },
    lastDay: 'Last day',
    lastDayHint: 'Leave empty for no expiry.',
    revokeOf: (name: string) => `Revoke ${name}`,
  },
  sessions: {
    title: 'Signed in to the console',
    endOf: (name: string) => `End a session of ${name}`,
  },
  start: {
    invite: (done: number) => (done === 0 ? 'Nothing is set up yet' : `${done} of 4 steps done`),
    inviteOthers: 'Only owners can set it up. Ask one of them.',
    system: {
      ready: 'It needs no settings.',
    },
    installation: {
      address: 'Address',
      appPoolKey: 'App pool key',
    },
  },
  audit: {
    actor: 'Who',
    action: 'What',
    target: 'Target',
    exports: { csv: 'Export as CSV', ndjson: 'Export as JSON lines' },
  },
  alertEvents: {
    'delivery.dead': 'Delivery failed permanently',
    'destination.failing': 'Destination failing',
    'destination.paused': 'Destination paused',
    'destination.recovered': 'Destination recovered',
    'installation.auth_rejected': 'Key rejected',
    'installation.pending': 'Installation to approve',
    fault: 'Service fault',
  },
  alerts: {
    ways: { webhook: 'Webhook', email: 'Email' },
    events: 'Events',
    removeOf: (name: string) => `Remove ${name}`,
  },
  ...deliveriesTexts,
} as const;
