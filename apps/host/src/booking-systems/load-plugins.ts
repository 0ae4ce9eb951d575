import type { BookingSystemPlugin } from '@waiver-service/core';
import { checkPlugin } from './check-plugin.ts';
import { installNameOfPackage } from './plugin-packages.ts';

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
