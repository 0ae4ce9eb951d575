import type { Store } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';
import { createCheckInLinks } from './check-in-links.ts';
import type { GuestMail } from './copy-mails.ts';
import { createForms, type Forms } from './forms.ts';
import { createLateSignings, type LateSignings } from './late-signings.ts';
import { createReturningCodes } from './returning-codes.ts';
import { createSealingKeys } from './sealing-keys.ts';
import { createSignings, type Signings } from './signings.ts';

/** The store with what guests sign. */
export interface SigningStore extends Store {
  readonly forms: Forms;
  readonly checkInLinks: ReturnType<typeof createCheckInLinks>;
  readonly returningCodes: ReturnType<typeof createReturningCodes>;
  readonly signings: Signings;
  readonly sealingKeys: ReturnType<typeof createSealingKeys>;
  readonly lateSignings: LateSignings;
}
export const SigningStore: ServiceIdentifier<SigningStore> = Symbol('SigningStore');

export function openSigningStore(store: Store, guestMail: GuestMail): SigningStore {
  const { context } = store;
  return {
    ...store,
    forms: createForms(context),
    checkInLinks: createCheckInLinks(context),
    returningCodes: createReturningCodes(context),
    signings: createSignings({ ...context, guestMail }),
    sealingKeys: createSealingKeys(context),
    lateSignings: createLateSignings(context),
  };
}
