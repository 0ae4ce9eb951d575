import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const names = z.record(z.string(), z.string()).default({});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      link: z.boolean().optional(),
      dependencies: names,
      optionalDependencies: names,
      peerDependencies: names,
      peerDependenciesMeta: z
        .record(z.string(), z.object({ optional: z.boolean().default(false) }))
        .default({}),
    }),
  ),
});

/** For packages whose package.json names no license: from their LICENSE file. */
const unnamedLicenses: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

type Locked = z.infer<typeof lockSchema>['packages'][string];

/** A package that runs in production. */
export interface ProductionPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; undefined if the package names none. */
  readonly license: string | undefined;
  /** The hash of its tarball; undefined for packages of the workspace. */
  readonly integrity: string | undefined;
  /** Where it is installed, relative to the root: `node_modules/pg`, `packages/store`. */
  readonly folder: string;
  readonly isOurs: boolean;
  /** Part of the built pages, not a separate package. */
  readonly isBundled: boolean;
}

/** What an operator runs. */
const service = ['apps/host', 'apps/partner-check'];
// Their builds contain their dependencies.
const bundledBy: readonly string[] = ['@waiver-service/console', '@waiver-service/check-in'];

/**
 * The packages that the host and the commands need, or other packages of the workspace, from package-lock.json; of
 * platform-specific packages, only those installed here. Ordered by folder.
 */
export function productionPackages(root: string, from = service): readonly ProductionPackage[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));

  /** Resolves like Node: beside the package, then in each folder above. */
  const find = (name: string, from: string): string | undefined => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
      const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
      const found = packages[place];
      if (found !== undefined) return found.link === true ? found.resolved : place;
      if (folder === '') return undefined;
    }
  };
  const dependenciesOf = (locked: Locked, folder: string) => {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked;
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].flatMap((name) => {
      const found = find(name, folder);
      return found !== undefined && existsSync(join(root, found)) ? [found] : [];
    });
  };

  const found = new Map<string, ProductionPackage>();
  const visit = (folder: string, isBundled: boolean) => {
    const locked = packages[folder];
    const former = found.get(folder);
    // A package that is also needed at run time is not merely bundled.
    if (locked === undefined || (former !== undefined && (isBundled || !former.isBundled))) return;
    const start = folder.lastIndexOf('node_modules/');
    const isOurs = start < 0;
    const name = locked.name ?? folder.slice(start + 'node_modules/'.length);
    const { version = '', integrity } = locked;
    const license = locked.license ?? unnamedLicenses[name];
    found.set(folder, { name, version, license, integrity, folder, isOurs, isBundled });
    for (const next of dependenciesOf(locked, folder)) visit(next, isBundled || bundledBy.includes(name));
  };
  for (const folder of from) visit(folder, false);
  return [...found.values()].toSorted((one, other) => (one.folder < other.folder ? -1 : 1));
}

// Each lets anyone run, change and redistribute the service without having to give away their own work.
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Fonts: may be redistributed with the service and embedded in documents, which remain their authors'.
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
]);

/** Whether one alternative of an SPDX expression is allowed, including all licenses joined by AND. */
export function isAllowed(license: string): boolean {
  const alternatives = license.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return alternatives.some((one) => one.split(' AND ').every((name) => allowed.has(name.trim())));
}

/** The packages whose license has not been reviewed. */
export function findUnknownLicenses({ root }: { readonly root: string }): string[] {
  return productionPackages(root)
    .filter(({ license }) => license === undefined || !isAllowed(license))
    .map(
      ({ folder, license = 'no license' }) =>
        `package-lock.json: ${folder} has ${license}, which tools/src/package/production-packages.ts does not allow`,
    );
}

/** The license texts of all third-party packages, whose inclusion the licenses require. */
export function licenseTexts(root: string, packages: readonly ProductionPackage[]): string {
  const texts = packages
    .filter(({ isOurs }) => !isOurs)
    .map(({ name, version, license, folder }) => {
      const file = existsSync(join(root, folder))
        ? readdirSync(join(root, folder))
            .sort()
            .find((each) => /^(licen[cs]e|copying)/i.test(each))
        : undefined;
      const text = file === undefined ? '' : `\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
      return `${name} ${version}: ${license}\n${text}`;
    });
  return `${[...new Set(texts)].join(`\n${'-'.repeat(80)}\n\n`)}`;
}

const purlOf = ({ name, version }: ProductionPackage) =>
  `pkg:npm/${name.startsWith('@') ? `%40${name.slice(1)}` : name}@${version}`;

function hashOf(integrity: string | undefined) {
  const sha512 = /^sha512-(\S+)/.exec(integrity ?? '')?.[1];
  if (sha512 === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] };
}

/**
 * The software bill of materials, as CycloneDX. `npm sbom` lists the lock file; this lists the package's contents, and
 * is reproducible: it has no time and no random number.
 */
export function billOfMaterials(version: string, packages: readonly ProductionPackage[]): string {
  const components = new Map(
    packages
      .filter(({ isOurs }) => !isOurs)
      .map((one) => [
        purlOf(one),
        {
          type: 'library',
          'bom-ref': purlOf(one),
          name: one.name,
          version: one.version,
          ...hashOf(one.integrity),
          licenses: [{ expression: one.license }],
          purl: purlOf(one),
        },
      ]),
  );
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'waiver-service', version } },
    components: [...components.values()],
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}
