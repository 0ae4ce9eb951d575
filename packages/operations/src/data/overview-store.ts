import type { Store } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';
import { createOverviews, type Overviews } from './overview.ts';

/** The store with figures of a running service. */
export interface OverviewStore extends Store {
  readonly overviews: Overviews;
}
export const OverviewStore: ServiceIdentifier<OverviewStore> = Symbol('OverviewStore');

export function openOverviewStore(store: Store): OverviewStore {
  return { ...store, overviews: createOverviews(store.context) };
}
