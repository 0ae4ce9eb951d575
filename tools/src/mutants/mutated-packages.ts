import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MutatedPackage } from './mutate-package.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const plugins = globSync('plugins/*/package.json', { cwd: root })
  .map((file) => ({ folder: dirname(file) }))
  .toSorted((one, other) => one.folder.localeCompare(other.folder));

/** Packages for Stryker: their tests need no server. */
export const mutatedPackages: readonly MutatedPackage[] = [
  { folder: 'packages/core' },
  { folder: 'packages/waivers' },
  { folder: 'packages/evidence' },
  { folder: 'packages/forms' },
  { folder: 'packages/plugin-kit' },
  { folder: 'packages/octo-kit' },
  { folder: 'packages/delivery', sources: 'src/policy/**/*.ts', tests: ['test/policy/**/*.test.ts'] },
  ...plugins,
];
