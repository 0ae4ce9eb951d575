import type { PlantedFault } from './planted-fault.ts';

const plugin = 'plugins/standard/src/index.ts';
const path = 'packages/plugin-kit/src/writing/guest-update-path.ts';
const fetch = 'packages/plugin-kit/src/reading/fetch-contract-booking.ts';
const suite = ['test/contract', 'test/requests'];

/** Slips where a booking’s id is in the path, and a guest’s too. */
export const standardFaults: readonly PlantedFault[] = [
  {
    title: 'the id is sent in the query',
    file: plugin,
    find: "pathShape: 'path'",
    replace: "pathShape: 'query'",
    noticedBy: suite,
  },
  {
    title: 'the waiver’s id is sent for every guest’s',
    file: plugin,
    find: "guestId: 'booking-guest-id'",
    replace: "guestId: 'waiver-id'",
    noticedBy: suite,
  },
  {
    title: 'the key is in the other header of the contract',
    file: plugin,
    find: "authHeaderName: 'api-key'",
    replace: "authHeaderName: 'authentication'",
    noticedBy: suite,
  },
  {
    title: 'the waiver’s id is sent for the guest’s',
    file: path,
    find: 'waiver.bookingGuestId || waiver.id',
    replace: 'waiver.id || waiver.bookingGuestId',
    noticedBy: suite,
  },
  {
    title: 'the pool is not sent',
    file: fetch,
    find: 'params: { pool }',
    replace: 'params: {}',
    noticedBy: suite,
  },
];
