import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readWorkspace } from '../checks/workspace.ts';

// Unlike an object schema, keeps the order of the keys.
const entries = z.record(z.string(), z.unknown());
type Entries = z.infer<typeof entries>;

const dependencyLists = new Set([
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
]);

const mapEntries = (given: unknown, change: (key: string, value: unknown) => unknown): Entries =>
  Object.fromEntries(Object.entries(entries.parse(given)).map(([key, value]) => [key, change(key, value)]));

/**
 * Sets the version of all packages below `root`, also where they depend on each other, of the Helm chart, and in
 * package-lock.json, whose other entries stay as they are.
 */
export function setVersion(root: string, version: string): void {
  const { packages } = readWorkspace(root);
  const own = new Set(packages.map(({ name }) => name));
  const withVersion = (manifest: unknown) =>
    mapEntries(manifest, (key, value) => {
      if (key === 'version') return version;
      if (!dependencyLists.has(key)) return value;
      return mapEntries(value, (name, range) => (own.has(name) ? version : range));
    });
  const rewrite = (path: string, change: (content: unknown) => unknown) => {
    const file = join(root, path);
    const content = change(JSON.parse(readFileSync(file, 'utf8')));
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  };
  for (const folder of ['.', ...packages.map((one) => one.folder)])
    rewrite(join(folder, 'package.json'), withVersion);
  const chart = join(root, 'deploy/helm/Chart.yaml');
  const withChartVersion = readFileSync(chart, 'utf8').replace(
    /^(version|appVersion): .*$/gm,
    `$1: ${version}`,
  );
  writeFileSync(chart, withChartVersion);
  rewrite('package-lock.json', (lock) =>
    mapEntries(withVersion(lock), (key, value) => {
      if (key !== 'packages') return value;
      return mapEntries(value, (path, locked) =>
        path.includes('node_modules/') ? locked : withVersion(locked),
      );
    }),
  );
}
