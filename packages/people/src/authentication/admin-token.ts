import type { ServiceIdentifier } from 'inversify';

/** Lets whoever has it do everything; it is in no database. */
export type AdminToken = string;
export const AdminToken: ServiceIdentifier<AdminToken> = Symbol('AdminToken');
