import { count, plural } from '../formats.ts';

/** The day board's texts, kept out of `texts`, which loads with the first page. */
export const dayTexts = {
  counts: {
    bookings: (bookings: number) => plural(bookings, 'booking', 'bookings'),
    guests: (guests: number) => plural(guests, 'guest', 'guests'),
  },
  shows: {
    missing: 'Missing',
    'not-arrived': 'Not arrived',
    flags: 'With something to note',
  },
  unnamedActivity: 'Session',
  arrivedOf: (arrived: number, expected: number) => `${count(arrived)} of ${count(expected)} here`,
  arrivedAt: (time: string, by: string) => (by === '' ? time : `${time}, ${by}`),
  unnamed: (number: number) => `Guest ${count(number)}`,
  states: { signed: 'Signed', begun: 'In progress', missing: 'Missing' },
  attach: 'Attach',
  attachOf: (name: string) => `Attach the waiver of ${name}`,
  noForm: 'This pool has no published form',
  openForms: 'Open the forms',
  sources: {
    failed: (name: string, message: string) => `${name} could not be read: ${message}`,
  },
} as const;

/** Texts of the dialog that attaches waivers. */
export const attachTexts = {
  title: (waivers: number) => (waivers === 1 ? 'Attach the waiver' : 'Attach the waivers'),
} as const;
