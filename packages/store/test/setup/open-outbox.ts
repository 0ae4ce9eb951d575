import { type FurnishedOutbox, furnishOutbox } from '../../src/testing/outbox-fixture.ts';
import { openTestStore } from './open-test-store.ts';

/** A store with a pool `p1`, where `standard` is installed and one webhook listens, unless told otherwise. */
export async function openOutbox(options: FurnishedOutbox & Parameters<typeof openTestStore>[0] = {}) {
  const { writeUnit, installed, webhook, ...ofStore } = options;
  const opened = await openTestStore(ofStore);
  return { ...opened, endpoint: await furnishOutbox(opened.store, { writeUnit, installed, webhook }) };
}
