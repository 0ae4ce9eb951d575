import type {
  AuthorizationCallback,
  BookingSystemContext,
  BookingSystemPlugin,
  InstalledAccount,
} from '@waiver-service/core';
import type { HttpUse } from '@waiver-service/outbound';
import type { PreparedAuthorization } from '@waiver-service/plugin-kit';
import type { BookingSystemSettings, Installation, QueriedInstallation } from '@waiver-service/store';

/** One use of a booking system: `onExchange` receives each call and its answer, for the log of attempts. */
export interface ConnectionUse extends Omit<HttpUse, 'beforeRequest'> {
  readonly purpose: 'read' | 'guest-update';
  /** Whether to ask the booking system for a token although it has just refused one. */
  readonly evenIfRefused?: boolean | undefined;
  /** Until when, by `performance.now()`, the first request may be made without being counted again. */
  readonly countedUntil?: number;
  /** Called when a request has waited for its turn, before it is made. */
  readonly onTurn?: (() => void) | undefined;
}

/** How an operator authorizes an installation in a browser. */
interface ConnectionAuthorization extends Pick<PreparedAuthorization, 'url'> {
  /** Opens the session of the installation. @throws BookingSystemError */
  open(callback: AuthorizationCallback): Promise<void>;
}

/** A connection to a booking system that is installed for a pool. */
export interface BookingSystemConnection {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly plugin: BookingSystemPlugin;
  readonly installation: QueriedInstallation & Pick<Installation, 'environment'>;
  /** Whether the signed document may be sent to it. */
  readonly sharesDocument: boolean;
  /**
   * Everything that the plugin needs for one use.
   * @throws BookingSystemNotConfigured if settings, base address or account information are missing or wrong
   */
  contextFor(use: ConnectionUse): BookingSystemContext<unknown, InstalledAccount>;
  /** Undefined if it needs none. @throws BookingSystemNotConfigured as above */
  authorization(): ConnectionAuthorization | undefined;
}

/** The parts of a connection. */
export interface ConnectionConfiguration {
  readonly installation: Pick<
    Installation,
    'pool' | 'bookingSystem' | 'account' | 'baseUrl' | 'environment'
  > &
    Partial<Pick<Installation, 'shareDocument' | 'addressVersion'>>;
  readonly settings: BookingSystemSettings | undefined;
}
