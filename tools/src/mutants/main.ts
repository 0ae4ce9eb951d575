import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { type MutatedPackage, mutatePackage } from './mutate-package.ts';

const packages: readonly MutatedPackage[] = [
  { folder: 'packages/core' },
  { folder: 'packages/waivers' },
  // Without the test that counts the verifier's lines: Stryker's changes add many.
  { folder: 'packages/evidence', tests: 'test/!(verify-source).test.ts' },
  // Without the example forms and the sentences, which are texts, and without property tests, which would take hours.
  {
    folder: 'packages/forms',
    sources: 'src/{*,publishing/*,sentences/sentences}.ts',
    tests: 'test/!(properties).test.ts',
  },
  { folder: 'packages/plugin-kit' },
  { folder: 'packages/octo-kit' },
  { folder: 'packages/delivery', sources: 'src/policy/**/*.ts', tests: 'test/policy/**/*.test.ts' },
  ...globSync('plugins/*/package.json')
    .toSorted()
    .map((file) => ({ folder: dirname(file) })),
];

const chosen = process.argv.slice(2);
const names = packages.map(({ folder }) => folder);
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`unknown package ${unknown.join(', ')}; there are: ${names.join(', ')}`);
  process.exit(2);
}
for (const one of packages) {
  if (chosen.length > 0 && !chosen.includes(one.folder)) continue;
  console.log(one.folder);
  await mutatePackage(one);
}
