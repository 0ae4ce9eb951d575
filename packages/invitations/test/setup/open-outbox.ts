import { openSigningStore, signingData } from '@waiver-service/signing/data';
import { openStore, type Store } from '@waiver-service/store';
import { type FurnishedOutbox, furnishOutbox, openTestStore } from '@waiver-service/store/testing';
import { onTestFinished } from 'vitest';
import { guestMail } from '../../src/data/invitation-settings.ts';
import { openInvitationStore } from '../../src/data/invitation-store.ts';
import { invitationsData } from '../../src/data/invitations-data.ts';

type Options = Omit<NonNullable<Parameters<typeof openTestStore>[0]>, 'features'>;

export const features = [signingData, invitationsData];

const withInvitations = (store: Store) => openInvitationStore(openSigningStore(store, guestMail));

/**
 * A store with mail to guests and a pool `p1`, where `standard` is installed and one webhook listens, unless told
 * otherwise. Closed and dropped when the test ends.
 */
export async function openOutbox(options: FurnishedOutbox & Options = {}) {
  const { store, ...opened } = await openTestStore({ ...options, features });
  onTestFinished(opened.close);
  await furnishOutbox(store, options);
  return { ...opened, store: withInvitations(store) };
}

/** The store of another host. Close it. */
export const openOther = async (
  databaseUrl: string,
  encryptionKeys: Parameters<typeof openStore>[0]['encryptionKeys'],
) => withInvitations(await openStore({ databaseUrl, encryptionKeys, features }));
