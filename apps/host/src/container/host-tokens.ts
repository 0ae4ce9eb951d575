import type { Outbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import type { Faults } from '../alerts/fault-reporter.ts';
import type { Cells } from '../cells/cells.ts';
import type { HostApp } from '../http/host-app.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { token } from './token.ts';

/** Background work. */
export interface BackgroundWork {
  start(): void;
  stop(): Promise<void>;
}

/** Services that all features may use, and contributions that any feature may bind. */
export const hostTokens = {
  settings: token<HostSettings>('settings'),
  /** The public base address, without a trailing slash; known once the host listens. */
  baseUrl: token<() => string>('public base address'),
  store: token<Store>('store'),
  outbound: token<Outbound>('outbound'),
  cells: token<Cells>('cells'),
  log: token<FastifyBaseLogger>('log'),
  faults: token<Faults>('faults'),
  tracing: token<Tracing>('tracing'),
  /** Bound by each feature with routes: adds them to the app. Unused in a host that only dispatches. */
  routes: token<(app: HostApp) => void>('routes'),
  /** Bound by each feature with background work. Not started in a host that only serves the API. */
  background: token<BackgroundWork>('background work'),
};
