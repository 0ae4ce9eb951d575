import { openSigningStore } from '@waiver-service/signing/data';
import type { Store } from '@waiver-service/store';
import { sql } from 'kysely';

/** A store with signings, of which no guest is sent a copy. */
export const withSignings = (store: Store) =>
  openSigningStore(store, {
    destinationOf: () => Promise.reject(new Error('no mail is sent to guests')),
    isRefused: () => sql`true`,
  });
