import { count, toOneDecimal } from '../formats.ts';
import { plural } from './numbers.ts';

export const bookingsTexts = {
  forms: { current: 'Contract', legacy: 'Contract (legacy)', native: 'Native' },
  bookings: {
    lead: 'A booking as it is in its booking system now, and who has signed.',
    id: 'Booking id',
    defaultSystem: 'Default',
    read: 'Read',
    readAgain: 'Read again',
    ofDay: 'Bookings of a day',
    day: 'Day',
    starts: 'Starts',
    noneOfDay: 'No bookings on this day',
    noneOfDayHint:
      'The booking system lists none that begin then. Choose another day, or read a booking by its id.',
    noList: 'This booking system cannot list bookings',
    stale: 'This is the last known booking',
    staleHint: (age: string) => `The booking system is not responding. This copy is ${age} old.`,
    warnings: (warnings: number) =>
      warnings === 0 ? 'Read without warnings.' : plural(warnings, 'warning', 'warnings'),
    signed: 'Waivers',
    signedOf: (signed: number, pax: number | null) =>
      pax === null ? `Signed ${count(signed)}` : `Signed ${count(signed)} of ${count(pax)}`,
    form: 'Form',
    fetched: 'Read at',
    sessions: 'Sessions',
    unnamedSession: 'Session',
    guests: 'Guests',
    noGuests: 'The booking names no guests',
    unnamedGuest: 'Unnamed guest',
    missing: 'Missing',
    normalized: 'Normalized booking',
    raw: 'Raw response',
    compared: 'Response and booking',
    comparedHint: 'Lines without a mark are the same on both sides. The response is not stored.',
    answerOf: 'Response to',
    noAnswer: 'There is no response to show: this is the last known booking.',
    marks: {
      answer: { changed: 'changed', moved: 'used elsewhere', unmatched: 'not used' },
      result: { changed: 'changed', moved: 'from elsewhere', unmatched: 'added' },
    },
    moreLines: (lines: number) => `${count(lines)} more lines`,
    howRead: 'How it was read',
    aliases: 'Also known as',
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
    duration: (ms: number) => `${toOneDecimal(ms)} ms`,
    request: 'Request headers',
    requestBody: 'Request body',
    answer: (status: number, afterMs: number | undefined) =>
      afterMs === undefined
        ? `HTTP ${status}`
        : `HTTP ${status}, first byte after ${count(Math.round(afterMs))} ms`,
    answerBody: 'Response body',
    size: (bytes: number, isWhole: boolean) =>
      isWhole ? plural(bytes, 'byte', 'bytes') : `the beginning of ${plural(bytes, 'byte', 'bytes')}`,
  },
} as const;
