import { hash } from 'node:crypto';
import type {
  AuthorizationCallback,
  BookingSystemContext,
  BookingSystemPlugin,
  InstalledAccount,
} from '@waiver-service/core';
import {
  type BeforeRequest,
  type ConnectionRequest,
  createConnectionCache,
  type HttpUse,
} from '@waiver-service/outbound';
import {
  type ContextMaker,
  keepSessionInMemory,
  type PreparedAuthorization,
  prepareAuthorization,
  prepareBookingSystemContext,
} from '@waiver-service/plugin-kit';
import type { BookingSystemSettings, Installation, QueriedInstallation } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { Outbound, Store } from '../given.ts';
import { BookingSystemResolver } from './booking-system-resolver.ts';
import { createRequestGate, type LimitedInstallation, type RequestGate } from './request-gate.ts';
import { SessionKeepers } from './session-keepers.ts';

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

/** Each request of one use waits for its turn, except a first one that was counted before. */
function withRequestBudget(
  gate: RequestGate,
  installation: LimitedInstallation,
  use: ConnectionUse,
): HttpUse {
  const { purpose, countedUntil = Number.NEGATIVE_INFINITY, signal, onTurn } = use;
  let isCounted = true;
  const beforeRequest: BeforeRequest = async (deadlineAt) => {
    const isPaid = isCounted && performance.now() <= countedUntil;
    isCounted = false;
    if (isPaid) return;
    await gate.enter(installation, { purpose, deadlineAt, signal });
    onTurn?.();
  };
  return { ...use, beforeRequest };
}

/** Counts token requests. Like reads, they precede Guest Updates, since other requests wait for them. */
const countTokenRequests =
  (gate: RequestGate, installation: LimitedInstallation): BeforeRequest =>
  (deadlineAt) =>
    gate.enter(installation, { purpose: 'read', deadlineAt, signal: new AbortController().signal });

interface ConnectionAccess {
  readonly baseUrl: string | null;
  readonly environment: 'live' | 'test' | undefined;
  readonly settings: unknown;
  readonly account: InstalledAccount;
}

/**
 * The access whose change ends a session. A person's authorization depends on fewer fields: it outlives a change of
 * this service's own credentials.
 */
function openedWithOf({ session }: BookingSystemPlugin, access: ConnectionAccess): unknown {
  const { baseUrl, environment = null, account } = access;
  return session?.grant === 'authorization-code' ? [baseUrl, environment, account.accountId] : access;
}

const hashOf = (value: unknown) => hash('sha256', JSON.stringify(value), 'base64url');

/** Connects pools to the booking systems installed for them. */
@injectable()
export class BookingSystemConnector {
  private readonly gate = createRequestGate(this.store.requestBudgets);
  private readonly cached = createConnectionCache(async (destination) => {
    const configuration = await this.store.installations.configurationByDestination(destination);
    return configuration && this.connectionOf(destination, configuration);
  });

  constructor(
    @inject(Store) private readonly store: Store,
    @inject(Outbound) private readonly outbound: Outbound,
    @inject(BookingSystemResolver) private readonly bookingSystems: BookingSystemResolver,
    @inject(SessionKeepers) private readonly sessionKeepers: SessionKeepers,
  ) {}

  /**
   * The connection for a destination; `undefined` once it is no longer installed. Cached while it has the wanted
   * version.
   * @throws HttpProblem 404 `unknown_booking_system`
   * @throws CannotDecrypt
   */
  connect(wanted: ConnectionRequest): Promise<BookingSystemConnection | undefined> {
    return this.cached(wanted);
  }

  /** A new connection with this configuration. */
  connectOnce(destination: string, configuration: ConnectionConfiguration): BookingSystemConnection {
    return this.connectionOf(destination, configuration);
  }

  /** The same for an account that is no longer installed: its session is opened for this connection only. */
  connectFormer(destination: string, configuration: ConnectionConfiguration): BookingSystemConnection {
    return this.connectionOf(destination, configuration, false);
  }

  private connectionOf(
    destination: string,
    { installation, settings }: ConnectionConfiguration,
    isInstalled = true,
  ): BookingSystemConnection {
    const { pool, bookingSystem, account } = installation;
    const { information, accountId, apiKey } = account;
    const plugin = this.bookingSystems.resolve(bookingSystem);
    const limits = plugin.capabilities.requestLimits;
    const { displayName } = plugin;
    const limited = limits && { destination, bookingSystem, displayName, limits };
    const access = {
      baseUrl: installation.baseUrl ?? settings?.baseUrl ?? null,
      environment: installation.environment ?? undefined,
      settings: settings?.settings ?? {},
      account: { ...information, accountId, apiKey },
    };
    const session = {
      destination,
      pool,
      bookingSystem,
      displayName,
      openedWith: hashOf(openedWithOf(plugin, access)),
      beforeRequest: limited && countTokenRequests(this.gate, limited),
    };
    const { beforeRequest } = session;
    // The store keeps no session for an account that is gone.
    const sessionKeeperFor = (evenIfRefused: boolean) =>
      isInstalled
        ? this.sessionKeepers.keeperOf(session, evenIfRefused)
        : keepSessionInMemory(() => ({ signal: new AbortController().signal, beforeRequest }));
    const installationInput = {
      plugin,
      outbound: this.outbound,
      pool,
      installation: hashOf([destination, access]),
      ...access,
    };
    const prepare = (purpose: ConnectionUse['purpose'], evenIfRefused: boolean) =>
      prepareBookingSystemContext({
        ...installationInput,
        purpose,
        sessionKeeper: sessionKeeperFor(evenIfRefused),
      });
    const prepared: { [purpose in ConnectionUse['purpose']]?: ContextMaker<unknown, InstalledAccount> } = {};
    return {
      pool,
      bookingSystem,
      plugin,
      installation: {
        destination,
        addressVersion: installation.addressVersion ?? 0,
        environment: installation.environment,
      },
      sharesDocument: installation.shareDocument === true && plugin.capabilities.takes.includes('files'),
      contextFor: (use) => {
        const { purpose, evenIfRefused = false } = use;
        const contextFor = (evenIfRefused ? undefined : prepared[purpose]) ?? prepare(purpose, evenIfRefused);
        if (!evenIfRefused) prepared[purpose] = contextFor;
        return contextFor(limited ? withRequestBudget(this.gate, limited, use) : use);
      },
      authorization: () => {
        const authorization = prepareAuthorization({ ...installationInput, purpose: 'read' });
        if (authorization === undefined) return undefined;
        const { url, exchange } = authorization;
        return {
          url,
          open: (callback) => this.sessionKeepers.openWith(session, (use) => exchange(callback, use)),
        };
      },
    };
  }
}
