import type { Outbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import type { HostApp } from '../http/host-app.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { token } from './token.ts';

/** Work that goes on without requests. */
export interface BackgroundWork {
  start(): void;
  stop(): Promise<void>;
}

/** Services that all features may use, and contributions that any feature may bind. */
export const hostTokens = {
  settings: token<HostSettings>('settings'),
  /** The public base address, without a slash at its end; known once the host listens. */
  baseUrl: token<() => string>('public base address'),
  store: token<Store>('store'),
  outbound: token<Outbound>('outbound'),
  log: token<FastifyBaseLogger>('log'),
  /** Bound by each feature that has routes: puts them on the app. Absent from a host that only dispatches. */
  routes: token<(app: HostApp) => void>('routes'),
  /** Bound by each feature that works without requests. Not started in a host that only serves the API. */
  background: token<BackgroundWork>('background work'),
};
