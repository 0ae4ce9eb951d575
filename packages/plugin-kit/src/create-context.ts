import {
  type BookingSystemAccess,
  type BookingSystemContext,
  type BookingSystemPlugin,
  describeIssue,
  type InstalledAccount,
} from '@waiver-service/core';
import type { HttpUse, Outbound } from '@waiver-service/outbound';
import type { z } from 'zod';
import { BookingSystemNotConfigured } from './booking-system-not-configured.ts';

/** All that the calls for one installation of a booking system have in common. */
export interface InstallationInput<S, A extends InstalledAccount> {
  readonly plugin: BookingSystemPlugin<S, A>;
  readonly outbound: Outbound;
  /** The address an operator set; `null` for the vendor's public one. */
  readonly baseUrl: string | null;
  readonly pool: string;
  /** The booking system's settings as stored. */
  readonly settings: unknown;
  /** What the installation brought, as stored: accountId, apiKey and further information. */
  readonly account: unknown;
  readonly purpose: BookingSystemAccess['purpose'];
}

/** All that makes the context of one call: `onExchange` is told of each request, redacted. */
export interface ContextInput<S, A extends InstalledAccount> extends InstallationInput<S, A>, HttpUse {}

/** Makes the context of one call. */
export type ContextMaker<S, A> = (use: HttpUse) => BookingSystemContext<S, A>;

function parse<T>(schema: z.ZodType<T>, value: unknown, what: string, where: string): T {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || what}: ${message}`);
  throw new BookingSystemNotConfigured(`${where} (${issues.join('; ')})`);
}

function addressOf<S, A extends InstalledAccount>(
  input: InstallationInput<S, A>,
  access: BookingSystemAccess<S, A>,
): string {
  const { plugin } = input;
  const baseUrl = input.baseUrl ?? plugin.defaultBaseUrl?.(access);
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

/**
 * Prepares what a plugin is given for the calls of one installation: settings and account as its schemas read them,
 * which all its calls share, and an HTTP client of each call with its authentication. To be prepared anew when settings,
 * base address or account change. Throws BookingSystemNotConfigured, which says what to set.
 */
export function prepareBookingSystemContext<S, A extends InstalledAccount>(
  input: InstallationInput<S, A>,
): ContextMaker<S, A> {
  const { plugin, outbound, pool, purpose } = input;
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
  const access = { settings, account, purpose };
  const baseUrl = addressOf(input, access);
  return ({ signal, deadlineAt, onExchange }) => {
    // Of each call: what authenticates it may hold the time.
    const headers = plugin.authHeaders(access);
    const http = outbound.createHttp({ baseUrl, headers, peer: name, signal, deadlineAt, onExchange });
    return { pool, http, settings, account, signal };
  };
}

/** The same for a single call; see {@link prepareBookingSystemContext}. */
export function createBookingSystemContext<S, A extends InstalledAccount>(
  input: ContextInput<S, A>,
): BookingSystemContext<S, A> {
  return prepareBookingSystemContext(input)(input);
}
