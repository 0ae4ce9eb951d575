import type { SigningStore } from '@waiver-service/signing/data';
import type { ServiceIdentifier } from 'inversify';
import { createInvitations, type Invitations } from './invitations.ts';

/** The store with mail to guests. */
export interface InvitationStore extends SigningStore {
  readonly invitations: Invitations;
}
export const InvitationStore: ServiceIdentifier<InvitationStore> = Symbol('InvitationStore');

export function openInvitationStore(store: SigningStore): InvitationStore {
  const { context } = store;
  return {
    ...store,
    invitations: createInvitations(context, () => context.notifications.announce('outbox')),
  };
}
