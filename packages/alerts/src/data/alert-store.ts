import type { Store } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';
import { createAlerts } from './alerts.ts';

/** The store with alerts. */
export interface AlertStore extends Store {
  readonly alerts: ReturnType<typeof createAlerts>;
}
export const AlertStore: ServiceIdentifier<AlertStore> = Symbol('AlertStore');

export function openAlertStore(store: Store): AlertStore {
  return { ...store, alerts: createAlerts(store.context, store.wake) };
}
