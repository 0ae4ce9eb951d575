import type { ProductionPackage } from './production-packages.ts';

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
