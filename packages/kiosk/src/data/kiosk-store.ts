import type { SigningStore } from '@waiver-service/signing/data';
import type { ServiceIdentifier } from 'inversify';
import { createKiosks } from './kiosks.ts';
import type { OwnTables } from './tables.ts';

/** The store with kiosks. */
export interface KioskStore extends SigningStore {
  readonly kiosks: ReturnType<typeof createKiosks>;
}
export const KioskStore: ServiceIdentifier<KioskStore> = Symbol('KioskStore');

export function openKioskStore(store: SigningStore): KioskStore {
  const context = { ...store.context, database: store.context.database.withTables<OwnTables>() };
  return { ...store, kiosks: createKiosks(context) };
}
