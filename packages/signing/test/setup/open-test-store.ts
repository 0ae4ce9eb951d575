import { openStore } from '@waiver-service/store';
import { type FurnishedOutbox, furnishOutbox, openTestStore as open } from '@waiver-service/store/testing';
import { onTestFinished } from 'vitest';
import { signingData } from '../../src/data/signing-data.ts';
import { openSigningStore, type SigningStore } from '../../src/data/signing-store.ts';
import { noGuestMail } from '../../src/testing/on-test-hosts.ts';

type Options = Omit<NonNullable<Parameters<typeof open>[0]>, 'features'>;

const features = [signingData];

/** A store with signings, closed and dropped when the test ends. */
export async function openTestStore(options: Options = {}) {
  const { store, ...opened } = await open({ ...options, features });
  onTestFinished(opened.close);
  return { ...opened, store: openSigningStore(store, noGuestMail) };
}

/** The same with a pool `p1`, where `standard` is installed and one webhook listens, unless told otherwise. */
export async function openOutbox(options: FurnishedOutbox & Options = {}) {
  const opened = await openTestStore(options);
  await furnishOutbox(opened.store, options);
  return opened;
}

/** The store of another host. Close it. */
export async function openOther(
  databaseUrl: string,
  encryptionKeys: Parameters<typeof openStore>[0]['encryptionKeys'],
): Promise<SigningStore> {
  return openSigningStore(await openStore({ databaseUrl, encryptionKeys, features }), noGuestMail);
}
