import { onTestFinished } from 'vitest';
import { openTestStore as open, type TestStore } from '../../src/testing/open-test-store.ts';

export { testKey } from '../../src/testing/open-test-store.ts';

/** A store on a separate database, closed and dropped when the test ends. */
export async function openTestStore(options: Parameters<typeof open>[0] = {}): Promise<TestStore> {
  const opened = await open(options);
  onTestFinished(opened.close);
  return opened;
}
