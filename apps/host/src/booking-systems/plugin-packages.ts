import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { SettingsError } from '../settings/settings-error.ts';

const packageNamePattern = /^(?:@waiver-service\/plugin-|waiver-service-plugin-)([a-z0-9-]+)$/;

// Named like a plugin, but is none.
const pluginKit = '@waiver-service/plugin-kit';

const packageFileSchema = z.looseObject({
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});

/** The install name that the name of a plugin's package stands for; `undefined` where it is no plugin's. */
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

/** The plugin packages there are, by name. */
export interface PluginPackages {
  /** Those that are loaded. */
  readonly loaded: readonly string[];
  /** Those that are installed and that nobody has listed. */
  readonly unlisted: readonly string[];
}

/**
 * Which plugin packages are loaded: those that the package in `folder` declares and, of what is installed beside it,
 * those that `PLUGINS` lists. A plugin runs with all the rights of the host: that one was installed, perhaps by
 * another package, is no reason to run it.
 * @throws SettingsError where one is listed and not installed
 */
export function findPluginPackages(folder: string, listed: readonly string[]): PluginPackages {
  const isPlugin = (name: string) => installNameOfPackage(name) !== undefined;
  const declared = declaredIn(join(folder, 'package.json')).filter(isPlugin);
  const beside = foldersAbove(folder).flatMap((above) => installedIn(join(above, 'node_modules')));
  const installed = new Set([...declared, ...beside.filter(isPlugin)]);
  const missing = listed.filter((name) => !installed.has(name));
  if (missing.length > 0) {
    const found = [...installed].toSorted().join(', ') || 'none';
    throw new SettingsError(
      `PLUGINS lists ${missing.join(', ')}, which is not installed beside the host: install it, or take it off the list. Installed: ${found}.`,
    );
  }
  const loaded = new Set([...declared, ...listed]);
  return {
    loaded: [...loaded].toSorted(),
    unlisted: [...installed].filter((name) => !loaded.has(name)).toSorted(),
  };
}
