import { randomUUID } from 'node:crypto';
import {
  type BookingSystemAccess,
  type BookingSystemContext,
  type BookingSystemPlugin,
  describeIssue,
  type InstalledAccount,
} from '@waiver-service/core';
import type { HttpUse, Outbound } from '@waiver-service/outbound';
import type { z } from 'zod';
import {
  BookingSystemNotConfigured,
  keepSessionInMemory,
  type PreparedAuthorization,
  prepareSessions,
  type SessionKeeper,
} from './sessions/prepare-sessions.ts';

/** The input shared by all calls for one installation of a booking system. */
export interface InstallationInput<S, A extends InstalledAccount> {
  readonly plugin: BookingSystemPlugin<S, A>;
  readonly outbound: Outbound;
  /** The base address set by the operator; `null` for the vendor's public one. */
  readonly baseUrl: string | null;
  readonly pool: string;
  /** The contexts' `installation`. Default: a new id, so that nothing is shared with contexts prepared elsewhere. */
  readonly installation?: string;
  /** The booking system's settings as stored; parsed by the plugin's schema. */
  readonly settings: unknown;
  /** The installation's account as stored; parsed by the plugin's schema. */
  readonly account: unknown;
  readonly purpose: BookingSystemAccess['purpose'];
  /** Default: none chosen. */
  readonly environment?: BookingSystemAccess['environment'];
  /** Keeps the session, if the plugin has one. Default: in memory, for the contexts of this preparation. */
  readonly sessionKeeper?: SessionKeeper | undefined;
}

/** The input for the context of a single call. `onExchange` is called for each request, redacted. */
export interface ContextInput<S, A extends InstalledAccount> extends InstallationInput<S, A>, HttpUse {}

/** Creates the context of one call. */
export type ContextMaker<S, A> = (use: HttpUse) => BookingSystemContext<S, A>;

function parse<T>(schema: z.ZodType<T>, value: unknown, name: string, message: string): T {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || name}: ${issue.message}`);
  throw new BookingSystemNotConfigured(`${message} (${issues.join('; ')})`);
}

function addressOf<S, A extends InstalledAccount>(
  input: InstallationInput<S, A>,
  access: BookingSystemAccess<S, A>,
): string {
  const { plugin } = input;
  const baseUrl = input.baseUrl ?? plugin.url?.(access);
  if (baseUrl === undefined || baseUrl === '') {
    throw new BookingSystemNotConfigured(
      `${plugin.displayName} has no base address: set baseUrl at PUT /v1/admin/booking-systems/${plugin.installName}`,
    );
  }
  if (!URL.canParse(baseUrl) || /[?#]/.test(baseUrl)) {
    throw new BookingSystemNotConfigured(
      `the base address of ${plugin.displayName} is not one that paths can be put under: set an absolute URL without a query`,
    );
  }
  return baseUrl;
}

/** Parses an installation's settings and account. Throws BookingSystemNotConfigured. */
function readInstallation<S, A extends InstalledAccount>(input: InstallationInput<S, A>) {
  const { plugin, purpose, environment, installation = randomUUID() } = input;
  const name = plugin.displayName;
  const settings = parse(
    plugin.settingsSchema,
    input.settings,
    'settings',
    `the settings of ${name} are not complete`,
  );
  const account = parse(
    plugin.accountSchema,
    input.account,
    'account',
    `the installation of ${name} lacks what it needs: install again`,
  );
  const access = { settings, account, purpose, environment };
  return { access, baseUrl: addressOf(input, access), installation };
}

/**
 * Prepares an installation's authorization by an operator; `undefined` if the plugin's sessions do not begin that way.
 * Throws BookingSystemNotConfigured, as {@link prepareBookingSystemContext} does.
 */
export function prepareAuthorization<S, A extends InstalledAccount>(
  input: InstallationInput<S, A>,
): PreparedAuthorization | undefined {
  const { plugin, outbound, pool } = input;
  if (plugin.session?.grant !== 'authorization-code') return undefined;
  const { access, baseUrl, installation } = readInstallation(input);
  return prepareSessions({ plugin, outbound, baseUrl, pool, installation, ...access })?.authorization;
}

/**
 * Parses an installation's settings and account once, and returns a function that creates the context of each call.
 * Prepare again when settings, base address or account change. Throws BookingSystemNotConfigured, whose message says
 * what to set.
 */
export function prepareBookingSystemContext<S, A extends InstalledAccount>(
  input: InstallationInput<S, A>,
): ContextMaker<S, A> {
  const { plugin, outbound, pool } = input;
  const { access, baseUrl, installation } = readInstallation(input);
  const { settings, account } = access;
  const { authenticate } = plugin;
  const { sessionKeeper = keepSessionInMemory() } = input;
  const clientFor = outbound.prepareHttp({
    baseUrl,
    headers: plugin.headers(access),
    secrets: { apiKey: account.apiKey },
    authenticate: authenticate && ((request, session) => authenticate({ ...request, ...access, session })),
    sessions: prepareSessions({ plugin, outbound, baseUrl, pool, installation, ...access })?.sourceOf(
      sessionKeeper,
    ),
    peer: plugin.displayName,
  });
  return (use) => {
    const { http, secrets } = clientFor(use);
    return { pool, installation, http, secrets, settings, account, signal: use.signal };
  };
}

/** Creates the context of a single call; see {@link prepareBookingSystemContext}. */
export function createBookingSystemContext<S, A extends InstalledAccount>(
  input: ContextInput<S, A>,
): BookingSystemContext<S, A> {
  return prepareBookingSystemContext(input)(input);
}
