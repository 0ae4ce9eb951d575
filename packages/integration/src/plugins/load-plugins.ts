import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type BookingSystemPlugin,
  describeIssue,
  manifestSchema,
  supportedSpecificationVersions,
} from '@waiver-service/core';
import { problemDetails } from '@waiver-service/http';
import { z } from 'zod';

/** A usable plugin, or the reason why it is not. */
type PluginCheck =
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

const packageNamePattern = /^(?:@waiver-service\/plugin-|waiver-service-plugin-)([a-z0-9-]+)$/;

// Not a plugin, despite its name.
const pluginKit = '@waiver-service/plugin-kit';

const packageFileSchema = z.looseObject({
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});

/** The install name in the name of a plugin package; `undefined` for other packages. */
export function installNameOfPackage(packageName: string): string | undefined {
  return packageName === pluginKit ? undefined : packageNamePattern.exec(packageName)?.[1];
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function declaredIn(packageFile: string): string[] {
  const parsed = packageFileSchema.parse(JSON.parse(readFileSync(packageFile, 'utf8')));
  return Object.keys({ ...parsed.dependencies, ...parsed.optionalDependencies });
}

function installedIn(modules: string): string[] {
  const scoped = entriesOf(join(modules, '@waiver-service')).map((name) => `@waiver-service/${name}`);
  return [...entriesOf(modules), ...scoped];
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

/** The installed plugin packages, by name. */
interface PluginPackages {
  /** The packages to load. */
  readonly loaded: readonly string[];
  /** Installed packages that are not listed. */
  readonly unlisted: readonly string[];
}

/**
 * Finds the plugin packages to load: those that the package in `folder` declares and, of those installed beside it,
 * those that `PLUGINS` lists. A plugin has all rights of the host, so being installed, perhaps by another package, is
 * no reason to run it.
 * @throws Error if one is listed but not installed
 */
export function findPluginPackages(folder: string, listed: readonly string[]): PluginPackages {
  const isPlugin = (name: string) => installNameOfPackage(name) !== undefined;
  const declared = declaredIn(join(folder, 'package.json')).filter(isPlugin);
  const beside = foldersAbove(folder).flatMap((above) => installedIn(join(above, 'node_modules')));
  const installed = new Set([...declared, ...beside.filter(isPlugin)]);
  const missing = listed.filter((name) => !installed.has(name));
  if (missing.length > 0) {
    const found = [...installed].toSorted().join(', ') || 'none';
    throw new Error(
      `PLUGINS lists ${missing.join(', ')}, which is not installed beside the host: install it, or take it off the list. Installed: ${found}.`,
    );
  }
  const loaded = new Set([...declared, ...listed]);
  return {
    loaded: [...loaded].toSorted(),
    unlisted: [...installed].filter((name) => !loaded.has(name)).toSorted(),
  };
}

/** The log of plugins that are not used, and why. */
export interface PluginLog {
  warn(fields: { readonly package: string; readonly err?: unknown }, sentence: string): void;
}

/** Imports a package by its name. */
export type ImportPackage = (packageName: string) => Promise<unknown>;

async function defaultExportOf(packageName: string, importPackage: ImportPackage): Promise<unknown> {
  const exported = await importPackage(packageName);
  return typeof exported === 'object' && exported !== null && 'default' in exported
    ? exported.default
    : undefined;
}

/**
 * Loads the usable plugins. Others are skipped, and the log says why and what to change: a broken plugin must not
 * affect the others.
 */
export async function loadPlugins(
  packageNames: readonly string[],
  importPackage: ImportPackage,
  log: PluginLog,
): Promise<BookingSystemPlugin[]> {
  const plugins = new Map<string, BookingSystemPlugin>();
  const refuse = (packageName: string, reason: string, err?: unknown) =>
    log.warn({ package: packageName, err }, `The plugin ${packageName} is not used: ${reason}.`);
  for (const packageName of packageNames) {
    const installName = installNameOfPackage(packageName) ?? '';
    try {
      const check = checkPlugin(await defaultExportOf(packageName, importPackage), installName);
      if ('refusal' in check) refuse(packageName, check.refusal);
      else if (plugins.has(installName)) {
        refuse(packageName, `another package already speaks for ${JSON.stringify(installName)}`);
      } else plugins.set(installName, check.plugin);
    } catch (error) {
      refuse(packageName, 'loading it failed', error);
    }
  }
  return [...plugins.values()];
}
