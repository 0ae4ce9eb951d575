import type { PlantedFault } from './planted-fault.ts';

const plugin = 'plugins/standard-query/src/index.ts';
const path = 'packages/plugin-kit/src/writing/guest-update-path.ts';
const fetch = 'packages/plugin-kit/src/reading/fetch-contract-booking.ts';
const suite = ['test/contract', 'test/requests'];

/** Slips where a booking’s id is in the query, and no guest in the path. */
export const standardQueryFaults: readonly PlantedFault[] = [
  {
    title: 'the id is sent in the path',
    file: plugin,
    find: "pathShape: 'query'",
    replace: "pathShape: 'path'",
    noticedBy: suite,
  },
  {
    title: 'a guest is named in the path',
    file: plugin,
    find: "guestId: 'none'",
    replace: "guestId: 'booking-guest-id'",
    noticedBy: suite,
  },
  {
    title: 'the key is in the other header of the contract',
    file: plugin,
    find: "authHeaderName: 'authentication'",
    replace: "authHeaderName: 'api-key'",
    noticedBy: suite,
  },
  {
    title: 'a guest is named in the path although the manifest says none',
    file: path,
    find: "if (guestId === 'none') return undefined;\n",
    replace: '',
    noticedBy: suite,
  },
  {
    title: 'the id is not sent',
    file: fetch,
    find: 'params: { id: bookingId, pool }',
    replace: 'params: { pool }',
    noticedBy: suite,
  },
  {
    title: 'the pool is not sent beside the id',
    file: fetch,
    find: 'params: { id: bookingId, pool }',
    replace: 'params: { id: bookingId }',
    noticedBy: suite,
  },
  {
    title: 'an id that no path could have is asked for',
    file: fetch,
    find: "bookingSegment(bookingId, 'read');\n  return",
    replace: "bookingSegment('1', 'read');\n  return",
    noticedBy: suite,
  },
];
