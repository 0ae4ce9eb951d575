import { type FurnishedOutbox, furnishOutbox, openTestStore } from '@waiver-service/store/testing';
import { onTestFinished } from 'vitest';
import { guestData } from '../../src/data/guest-data.ts';
import { openGuestStore } from '../../src/data/guest-store.ts';

/**
 * A store with the rights of guests and a pool `p1`, where `standard` is installed and one webhook listens, unless told
 * otherwise. Closed and dropped when the test ends.
 */
export async function openOutbox({
  keys,
  ...furnished
}: FurnishedOutbox & Pick<NonNullable<Parameters<typeof openTestStore>[0]>, 'keys'> = {}) {
  const { store, ...opened } = await openTestStore({ keys, features: [guestData] });
  onTestFinished(opened.close);
  await furnishOutbox(store, furnished);
  return { ...opened, store: openGuestStore(store) };
}
