import { guestMail, invitationsData, openInvitationStore } from '@waiver-service/invitations/data';
import { openSigningStore, signingData } from '@waiver-service/signing/data';
import { type FurnishedOutbox, furnishOutbox, openTestStore } from '@waiver-service/store/testing';
import { onTestFinished } from 'vitest';
import { guestData } from '../../src/data/guest-data.ts';
import { openGuestStore } from '../../src/data/guest-store.ts';

/** The store with all that is kept of guests. */
export type TestedStore = Awaited<ReturnType<typeof openOutbox>>['store'];

const features = [signingData, guestData, invitationsData];

/**
 * A store with the rights of guests and a pool `p1`, where `standard` is installed and one webhook listens, unless told
 * otherwise. Closed and dropped when the test ends.
 */
export async function openOutbox(
  options: FurnishedOutbox & Pick<NonNullable<Parameters<typeof openTestStore>[0]>, 'keys'> = {},
) {
  const { store, ...opened } = await openTestStore({ ...options, features });
  onTestFinished(opened.close);
  await furnishOutbox(store, options);
  const { guests } = openGuestStore(store);
  return { ...opened, store: { ...openInvitationStore(openSigningStore(store, guestMail)), guests } };
}
