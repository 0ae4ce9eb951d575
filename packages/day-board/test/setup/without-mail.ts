import { openSigningStore } from '@waiver-service/signing/data';
import { noGuestMail } from '@waiver-service/signing/testing';
import type { Store } from '@waiver-service/store';

/** A store with signings, of which no guest is sent a copy. */
export const withSignings = (store: Store) => openSigningStore(store, noGuestMail);
