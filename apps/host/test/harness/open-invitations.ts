import { guestMail, type InvitationStore, openInvitationStore } from '@waiver-service/invitations/data';
import { openSigningStore } from '@waiver-service/signing/data';
import { openStore, type Store } from '@waiver-service/store';
import { features } from '../../src/features.ts';

/** With the parts of what guests sign and are written. */
export const withInvitations = (store: Store): InvitationStore =>
  openInvitationStore(openSigningStore(store, guestMail));

/** The store of a host that writes to guests. */
export const openInvitations = async (
  options: Omit<Parameters<typeof openStore>[0], 'features'>,
): Promise<InvitationStore> => withInvitations(await openStore({ ...options, features }));
