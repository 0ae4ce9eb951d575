import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BookingSystemPlugin } from '@waiver-service/core';
import { z } from 'zod';
import { checkPlugin } from './check-plugin.ts';

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
