import { readFileSync } from 'node:fs';
import type { PluginChoices, PluginHome } from './options.ts';

/** This package's own package.json: created plugins use its version, and the same versions of their tools. */
interface OwnPackageFile {
  readonly version: string;
  readonly devDependencies: Readonly<
    Record<'@types/node' | 'nock' | 'typescript' | 'vitest' | 'zod', string>
  >;
}

const own: OwnPackageFile = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const built = { types: './dist/index.d.ts', default: './dist/index.js' };

/** Whether its cursors keep the places of pages, which a schema reads. */
export const hasPlaces = ({ with: parts, pages }: PluginChoices) =>
  parts.includes('changes') || (parts.includes('lists') && pages === 'cursor');

function packageOfWorkspace(choices: PluginChoices): object {
  const { name, displayName, native, auth, from } = choices;
  const { version } = own;
  const source = '@waiver-service/source';
  // The sources of a plugin that follows the contract import only plugin-kit.
  const core = { '@waiver-service/core': version };
  return {
    name: `@waiver-service/plugin-${name}`,
    version,
    description: displayName,
    license: 'MIT',
    type: 'module',
    exports: {
      '.': { [source]: './src/index.ts', ...built },
      ...(native && from === undefined ? { './simulator': { [source]: './simulator/index.ts' } } : {}),
    },
    files: ['dist'],
    dependencies: {
      ...(native ? core : {}),
      '@waiver-service/plugin-kit': version,
      // For the schemas of an account, and of a page's place.
      ...(auth === 'oauth' || hasPlaces(choices) ? { zod: own.devDependencies.zod } : {}),
    },
    devDependencies: {
      '@waiver-service/contract-suite': version,
      ...(native ? {} : core),
      '@waiver-service/simulator': version,
    },
  };
}

function packageOfRepository({ name, displayName, native }: PluginChoices): object {
  const range = `^${own.version}`;
  const { zod, ...tools } = own.devDependencies;
  // Peers, because a plugin installed beside the host shares the host's copies.
  const peers = { '@waiver-service/core': range, '@waiver-service/plugin-kit': range };
  return {
    name: `waiver-service-plugin-${name}`,
    version: '0.1.0',
    description: `${displayName} as a booking system of the waiver service`,
    type: 'module',
    engines: { node: '>=24' },
    exports: { '.': built },
    files: ['dist'],
    scripts: {
      build: 'tsc -p tsconfig.build.json',
      check: 'tsc',
      test: 'vitest run',
      prepack: 'npm run build',
    },
    ...(native ? { dependencies: { zod } } : {}),
    peerDependencies: peers,
    devDependencies: {
      '@types/node': tools['@types/node'],
      '@waiver-service/contract-suite': range,
      ...peers,
      '@waiver-service/simulator': range,
      ...(native ? {} : { nock: tools.nock }),
      typescript: tools.typescript,
      vitest: tools.vitest,
    },
  };
}

/** The package.json of a plugin. */
export function pluginPackageFile(choices: PluginChoices, home: PluginHome): string {
  const content = home === 'workspace' ? packageOfWorkspace(choices) : packageOfRepository(choices);
  return `${JSON.stringify(content, null, 2)}\n`;
}
