import type { PlantedFault } from './planted-fault.ts';

const request = 'plugins/checkfront/src/fetch-guests.ts';
const reading = 'plugins/checkfront/src/native/guests.ts';
const booking = 'plugins/checkfront/src/fetch-booking.ts';

/** Slips in how the guests of Checkfront's API v4 are requested and read. */
export const checkfrontGuestFaults: readonly PlantedFault[] = [
  {
    title: 'only the first page is requested',
    file: request,
    find: 'body.data.length === 0 || !hasNextPage(body)',
    replace: 'body.data.length >= 0 || !hasNextPage(body)',
    noticedBy: ['test/guests'],
  },
  {
    title: 'a page that has no next one is not the last',
    file: request,
    find: 'body.data.length === 0 || !hasNextPage(body)',
    replace: 'body.data.length === 0',
    noticedBy: ['test/guests'],
  },
  {
    title: 'the second page begins at the second guest',
    file: request,
    find: 'offset: String(guests.length)',
    replace: 'offset: String(page)',
    noticedBy: ['test/guests'],
  },
  {
    title: 'a guest too many fills a page too many',
    file: request,
    find: 'page < maxPages',
    replace: 'page < maxPages - 1',
    noticedBy: ['test/guests'],
  },
  {
    title: 'pages have no end',
    file: request,
    find: 'const maxPages = 20',
    replace: 'const maxPages = 200',
    noticedBy: ['test/guests'],
  },
  {
    title: 'guests are asked for by the id that was asked for',
    file: booking,
    find: 'await guestsOf(context, found)',
    replace: 'await guestsOf(context, { ...found, code: bookingId })',
    noticedBy: ['test/guests'],
  },
  {
    title: 'guests are asked of every account',
    file: booking,
    find: 'context.account.apiV4 !== true',
    replace: 'context.account.apiV4 === null',
    noticedBy: ['test/guests'],
  },
  {
    title: 'an unknown booking has no guests',
    file: booking,
    find: "guests !== undefined || isCancelled(textOf(status) ?? '')",
    replace: 'guests?.length !== -1',
    noticedBy: ['test/guests'],
  },
  {
    title: 'a cancelled booking that has no guests any more cannot be read',
    file: booking,
    find: "guests !== undefined || isCancelled(textOf(status) ?? '')",
    replace: 'guests !== undefined',
    noticedBy: ['test/guests'],
  },
  {
    title: 'first and last name are swapped',
    file: reading,
    find: 'vendorPerson({ firstName, lastName, email })',
    replace: 'vendorPerson({ firstName: lastName, lastName: firstName, email })',
    noticedBy: ['test/guests'],
  },
  {
    title: 'as many guests as people are too many',
    file: reading,
    find: 'guests.length <= pax',
    replace: 'guests.length < pax',
    noticedBy: ['test/guests'],
  },
];
