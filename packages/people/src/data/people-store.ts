import type { Store } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';
import { type AuditLog, createAuditLog } from './audit-log.ts';
import { createCredentials } from './credentials.ts';
import { createIssuerVisits } from './issuer-visits.ts';
import { createPersonSessions } from './person-sessions.ts';
import type { OwnTables } from './tables.ts';

/** The store with the parts of people. */
export interface PeopleStore extends Store {
  readonly auditLog: AuditLog;
  readonly credentials: ReturnType<typeof createCredentials>;
  readonly issuerVisits: ReturnType<typeof createIssuerVisits>;
  readonly personSessions: ReturnType<typeof createPersonSessions>;
}
export const PeopleStore: ServiceIdentifier<PeopleStore> = Symbol('PeopleStore');

export function openPeopleStore(store: Store): PeopleStore {
  const context = { ...store.context, database: store.context.database.withTables<OwnTables>() };
  return {
    ...store,
    auditLog: createAuditLog(context),
    credentials: createCredentials(context),
    issuerVisits: createIssuerVisits(context),
    personSessions: createPersonSessions(context),
  };
}
