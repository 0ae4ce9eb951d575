import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface WorkspacePackage {
  /** Relative to the root: `packages/core`. */
  readonly folder: string;
  readonly name: string;
  /** Including peer dependencies. */
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  /** Folders that its tsconfig.json references, relative to the root. */
  readonly references: readonly string[];
  readonly files: readonly SourceFile[];
}

/** Whether a package is only for contributors and not installed with the service. */
export const isTool = ({ folder }: WorkspacePackage): boolean => /^tools(\/|$)/.test(folder);

export interface SourceFile {
  /** Relative to the root: `packages/core/src/index.ts`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

export interface Workspace {
  readonly root: string;
  readonly packages: readonly WorkspacePackage[];
  readonly rootDevDependencies: readonly string[];
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g;

/** The modules that TypeScript source imports or re-exports from. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(importPattern)].map(([, named, dynamic]) => named ?? dynamic ?? '');
}

interface PackageJson {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8'));

function readPackage(root: string, folder: string): WorkspacePackage {
  const manifest = readJson<PackageJson>(join(root, folder, 'package.json'));
  const { references = [] } = readJson<{ references?: { path: string }[] }>(
    join(root, folder, 'tsconfig.json'),
  );
  const paths = globSync(`${folder}/{src,simulator,test,testing}/**/*.{ts,tsx}`, { cwd: root });
  return {
    folder,
    name: manifest.name,
    dependencies: Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    }),
    devDependencies: Object.keys(manifest.devDependencies ?? {}),
    references: references.map(({ path }) => join(folder, path)),
    files: paths.toSorted().map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, imports: importsOf(text) };
    }),
  };
}

/** Reads the workspace below `root`. */
export function readWorkspace(root: string): Workspace {
  const manifests = globSync('{{packages,plugins,apps,tools}/*,tools}/package.json', { cwd: root });
  const folders = manifests.map((path) => dirname(path)).toSorted();
  const { devDependencies = {} } = readJson<PackageJson>(join(root, 'package.json'));
  return {
    root,
    packages: folders.map((folder) => readPackage(root, folder)),
    rootDevDependencies: Object.keys(devDependencies),
  };
}
