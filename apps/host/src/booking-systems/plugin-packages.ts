import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const packageNamePattern = /^(?:@waiver-service\/plugin-|waiver-service-plugin-)([a-z0-9-]+)$/;

// What plugins are written with has a plugin's name and is none.
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

/**
 * The names of the plugin packages there are: what the package in `folder` declares, and what is installed beside
 * it, so that an outside plugin needs no more than `npm install`.
 */
export function findPluginPackages(folder: string): string[] {
  const names = [
    ...declaredIn(join(folder, 'package.json')),
    ...foldersAbove(folder).flatMap((above) => installedIn(join(above, 'node_modules'))),
  ];
  return [...new Set(names.filter((name) => installNameOfPackage(name) !== undefined))].sort();
}
