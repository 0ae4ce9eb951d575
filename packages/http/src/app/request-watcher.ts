import type { ServiceIdentifier } from 'inversify';
import type { HostApp } from './host-app.ts';

/** Watches every request, those without a known caller included: its hooks come before those that authenticate. */
export interface RequestWatcher {
  watch(app: HostApp): void;
}
export const RequestWatcher: ServiceIdentifier<RequestWatcher> = Symbol('RequestWatcher');
