import type { ServiceIdentifier } from 'inversify';
import type { HostApp } from './host-app.ts';

/** Watches every request, whoever makes it: its hooks come before those that authenticate. */
export interface RequestWatcher {
  watch(app: HostApp): void;
}
export const RequestWatcher: ServiceIdentifier<RequestWatcher> = Symbol('RequestWatcher');
