import { openTestStore as open } from '@waiver-service/store/testing';
import { onTestFinished } from 'vitest';
import { openPeopleStore } from '../../src/data/people-store.ts';
import { peopleData } from '../../src/data/tables.ts';

/** A store with people, closed and dropped when the test ends. */
export async function openTestStore(options: Parameters<typeof open>[0] = {}) {
  const { store, ...opened } = await open({
    ...options,
    features: [...(options.features ?? []), peopleData],
  });
  onTestFinished(opened.close);
  return { ...opened, store: openPeopleStore(store) };
}
