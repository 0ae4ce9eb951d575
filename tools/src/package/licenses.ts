import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProductionPackage, productionPackages } from './production-packages.ts';

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
        `package-lock.json: ${folder} has ${license}, which tools/src/package/licenses.ts does not allow`,
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
