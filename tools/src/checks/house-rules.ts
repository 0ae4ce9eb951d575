import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readmeHeadings } from './plugins/quality.ts';
import type { Workspace } from './workspace.ts';

const namesThatSayLittle = /\/(utils?|helpers?|misc|common|manager|shared)(\.ts|\/)/;
/** The host's only file that reads the environment, and code outside the running service. */
const mayReadEnvironment =
  /^(apps\/host\/src\/settings\/environment\.ts|packages\/(?:database|store)\/src\/testing\/|packages\/testing\/|apps\/partner-check\/|tools\/)/;

/** A browser app's only file that names a locale: `Intl` may refuse the browser's. */
const formatsOf = (path: string) =>
  /^apps\/(console|check-in)\/src\//.exec(path)?.[0].concat('text/formats.ts');
const formats = /\bnew Intl\.|\bIntl\.\w+\(|\.toLocale\w+\(|\.localeCompare\(|\bnavigator\.languages?\b/;

/** Rules about single files. */
export function findHouseRuleProblems({ packages }: Workspace): string[] {
  return packages
    .flatMap(({ files }) => files)
    .flatMap(({ path, text }) => {
      const problems: string[] = [];
      const isSource = path.includes('/src/');
      if (namesThatSayLittle.test(path)) problems.push(`${path}: name the file after what is in it`);
      if (isSource && /\bprocess\.env\b/.test(text) && !mayReadEnvironment.test(path)) {
        problems.push(`${path}: reads the environment; only apps/host/src/settings/environment.ts does`);
      }
      const mayFormat = formatsOf(path);
      if (mayFormat !== undefined && path !== mayFormat && formats.test(text)) {
        problems.push(
          `${path}: formats by a locale; only ${mayFormat} does, so take or add a function there`,
        );
      }
      return problems;
    });
}

const pluginFiles = ['README.md', 'quality.json', 'package.json', 'src/index.ts', 'test/contract.test.ts'];

/** Every package has a README; every plugin has the same files, and the same headings in its README. */
export function findMissingFiles({ root, packages }: Workspace): string[] {
  return packages.flatMap(({ folder }) => {
    const isPlugin = folder.startsWith('plugins/');
    const missing = (isPlugin ? pluginFiles : ['README.md']).filter(
      (file) => !existsSync(join(root, folder, file)),
    );
    const problems = missing.map((file) => `${folder}: lacks ${file}`);
    if (isPlugin && !missing.includes('README.md')) {
      const readme = readFileSync(join(root, folder, 'README.md'), 'utf8');
      const lost = readmeHeadings.filter((heading) => !readme.includes(`\n${heading}\n`));
      problems.push(...lost.map((heading) => `${folder}/README.md: lacks the heading "${heading}"`));
    }
    return problems;
  });
}

/** Every dependency is explained in docs/dependencies.md. */
export function findUnexplainedDependencies({ root, packages, rootDevDependencies }: Workspace): string[] {
  const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
  const names = new Set([
    ...rootDevDependencies,
    ...packages.flatMap((one) => [...one.dependencies, ...one.devDependencies]),
  ]);
  const own = new Set(packages.map(({ name }) => name));
  return [...names]
    .filter((name) => !own.has(name) && !page.includes(`\`${name}\``))
    .map((name) => `docs/dependencies.md: does not say why ${name} is needed`);
}
