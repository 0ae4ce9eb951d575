import { count, plural } from './numbers.ts';

export const bookingsTexts = {
  forms: { current: 'Contract', legacy: 'Contract (legacy)', native: 'Its own' },
  bookings: {
    lead: 'A booking as its booking system has it now, and who has signed.',
    id: 'Booking id',
    defaultSystem: 'Default',
    read: 'Read',
    readAgain: 'Read again',
    ofDay: 'Bookings of a day',
    day: 'Day',
    starts: 'Starts',
    noneOfDay: 'No bookings on this day',
    noList: 'This booking system does not list its bookings',
    stale: 'This is the last known booking',
    staleHint: (age: string) => `The booking system does not answer at the moment. It is ${age} old.`,
    warnings: (warnings: number) =>
      warnings === 0 ? 'Read without a warning.' : plural(warnings, 'warning', 'warnings'),
    signed: 'Waivers',
    signedOf: (signed: number, pax: number | null) =>
      pax === null ? `Signed ${count(signed)}` : `Signed ${count(signed)} of ${count(pax)}`,
    form: 'Form',
    fetched: 'Read at',
    sessions: 'Sessions',
    unnamedSession: 'Session',
    guests: 'Guests',
    noGuests: 'The booking names no guests',
    unnamedGuest: 'Guest without a name',
    missing: 'Missing',
    normalized: 'The booking it became',
    raw: 'The answer as it came',
    compared: 'Answer and booking',
    comparedHint: 'Where a line has no mark, both sides say the same. The answer is shown, not stored.',
    answerOf: 'Answer to',
    noAnswer: 'There is no answer to show: the booking is the last one that is known.',
    marks: {
      answer: { changed: 'changed', moved: 'used elsewhere', alone: 'not used' },
      result: { changed: 'changed', moved: 'from elsewhere', alone: 'added' },
    },
    moreLines: (lines: number) => `${count(lines)} more lines`,
    howRead: 'How it was read',
    aliases: 'Also asked for as',
    aged: (seconds: number) =>
      seconds < 120
        ? plural(seconds, 'second', 'seconds')
        : plural(Math.round(seconds / 60), 'minute', 'minutes'),
  },
  readSteps: {
    names: {
      resolve: 'Plugin and installation',
      address: 'Settings and base address',
      turn: 'Turn',
      session: 'Token',
      dns: 'Name',
      connect: 'Connection',
      tls: 'TLS',
      request: 'Request',
      parse: 'Parse',
      form: 'Form',
      normalize: 'Normalize',
      warnings: 'Warnings',
    },
    states: { done: 'Done', failed: 'Failed', skipped: 'Not reached' },
    duration: (ms: number) => `${ms.toLocaleString('en', { maximumFractionDigits: 1 })} ms`,
    request: 'Request headers',
    requestBody: 'Request body',
    answer: (status: number, afterMs: number | undefined) =>
      afterMs === undefined
        ? `HTTP ${status}`
        : `HTTP ${status}, first byte after ${count(Math.round(afterMs))} ms`,
    answerBody: 'Answer',
    size: (bytes: number, isWhole: boolean) =>
      isWhole ? plural(bytes, 'byte', 'bytes') : `the beginning of ${plural(bytes, 'byte', 'bytes')}`,
  },
} as const;
