import {
  type BookingSystemPlugin,
  describeIssue,
  manifestSchema,
  supportedSpecificationVersions,
} from '@waiver-service/core';
import { problemDetails } from '@waiver-service/http';
import { z } from 'zod';

/** A usable plugin, or the reason why it is not. */
export type PluginCheck =
  | { readonly plugin: BookingSystemPlugin }
  /** A sentence that says what to change. */
  | { readonly refusal: string };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const field = (value: unknown, name: string): unknown =>
  isObject(value) ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
const isFunction = (value: unknown) => typeof value === 'function';
// A zod schema, possibly of the plugin's own copy of zod.
const isSchema = (value: unknown) => isObject(value) && 'safeParse' in value && isFunction(value.safeParse);

const canBeAuthorized = (session: unknown) =>
  field(session, 'grant') !== 'authorization-code' ||
  (isFunction(field(session, 'authorizationUrl')) && isFunction(field(session, 'exchangeCode')));
const isSession = (value: unknown) => value === undefined || isFunction(field(value, 'renew'));

function missingParts(candidate: unknown): string[] {
  const capabilities = field(candidate, 'capabilities');
  const parts: [string, boolean][] = [
    ['settingsSchema (a zod schema)', isSchema(field(candidate, 'settingsSchema'))],
    ['accountSchema (a zod schema)', isSchema(field(candidate, 'accountSchema'))],
    ['headers (a function)', isFunction(field(candidate, 'headers'))],
    [
      'authenticate (a function, if it is there at all)',
      ['undefined', 'function'].includes(typeof field(candidate, 'authenticate')),
    ],
    ['session.renew (a function, if there is a session at all)', isSession(field(candidate, 'session'))],
    [
      'session.authorizationUrl and session.exchangeCode (functions, since session.grant is authorization-code)',
      canBeAuthorized(field(candidate, 'session')),
    ],
    ['fetchBooking (a function)', isFunction(field(candidate, 'fetchBooking'))],
    [
      'pushWaiver (a function, since capabilities.guestUpdate is true)',
      field(capabilities, 'guestUpdate') !== true || isFunction(field(candidate, 'pushWaiver')),
    ],
    [
      'listBookings (a function, since capabilities.lists is true)',
      field(capabilities, 'lists') !== true || isFunction(field(candidate, 'listBookings')),
    ],
    [
      'changesSince (a function, since capabilities.changes is declared)',
      field(capabilities, 'changes') === undefined || isFunction(field(candidate, 'changesSince')),
    ],
    [
      'checkAccess (a function, since capabilities.checksAccess is true)',
      field(capabilities, 'checksAccess') !== true || isFunction(field(candidate, 'checkAccess')),
    ],
    [
      'parseInbound (a function, since capabilities.inbound is native)',
      field(capabilities, 'inbound') !== 'native' || isFunction(field(candidate, 'parseInbound')),
    ],
    [
      'inboundAuthenticity (a function, if it is there at all)',
      ['undefined', 'function'].includes(typeof field(candidate, 'inboundAuthenticity')),
    ],
    [
      'inboundAuthenticity, inboundAccount and parseInbound (functions, since capabilities.inboundAddress is shared)',
      field(capabilities, 'inboundAddress') !== 'shared' ||
        ['inboundAuthenticity', 'inboundAccount', 'parseInbound'].every((name) =>
          isFunction(field(candidate, name)),
        ),
    ],
  ];
  return parts.filter(([, present]) => !present).map(([part]) => part);
}

const pluginSchema = z.custom<BookingSystemPlugin>(
  (candidate) => manifestSchema.safeParse(candidate).success && missingParts(candidate).length === 0,
);

/** Checks the default export of a plugin package before it is used. */
export function checkPlugin(candidate: unknown, expectedInstallName: string): PluginCheck {
  if (!isObject(candidate)) {
    return { refusal: 'it has no default export made with defineBookingSystem({ … })' };
  }
  const version = field(candidate, 'specificationVersion');
  if (typeof version !== 'string' || !supportedSpecificationVersions.includes(version)) {
    const supported = supportedSpecificationVersions.join(', ');
    const found = JSON.stringify(version) ?? 'missing';
    return {
      refusal: `its specificationVersion is ${found}; this host supports ${supported}: install a version of the plugin that is made for ${supported}, or a host that supports ${found}`,
    };
  }
  const manifest = manifestSchema.safeParse(candidate, { error: describeIssue });
  if (!manifest.success) {
    const details = problemDetails(manifest.error).map(({ path, message }) => `${path}: ${message}`);
    return { refusal: `its manifest is not right: ${details.join('; ')}` };
  }
  if (manifest.data.installName !== expectedInstallName) {
    return {
      refusal: `its installName is ${JSON.stringify(manifest.data.installName)}, but the name of its package ends in ${JSON.stringify(expectedInstallName)}: they must be the same word`,
    };
  }
  const missing = missingParts(candidate);
  if (missing.length > 0) return { refusal: `it lacks ${missing.join(', ')}` };
  return { plugin: pluginSchema.parse(candidate) };
}
