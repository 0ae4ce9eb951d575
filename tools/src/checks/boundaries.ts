import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { isTool, type SourceFile, type Workspace, type WorkspacePackage } from './workspace.ts';

const everything = 'everything';

/** The workspace packages that each folder's sources may import (docs/architecture.md), never upward. */
const arrows = new Map<string, readonly string[] | typeof everything>([
  ['packages/core', []],
  ['packages/waivers', ['core']],
  ['packages/evidence', []],
  ['packages/forms', ['core']],
  ['packages/api', ['core', 'forms']],
  ['packages/outbound', ['core']],
  ['packages/plugin-kit', ['core', 'outbound']],
  ['packages/octo-kit', ['core', 'plugin-kit']],
  ['packages/contract-suite', ['core', 'outbound', 'plugin-kit', 'contract-check']],
  ['packages/contract-check', ['core', 'outbound', 'plugin-kit']],
  ['packages/simulator', ['core']],
  ['packages/create-plugin', []],
  ['packages/embedded-postgres', []],
  ['packages/database', ['waivers']],
  ['packages/http', ['core', 'api', 'waivers', 'outbound', 'database']],
  ['packages/outbox', ['core', 'database', 'api', 'waivers']],
  ['packages/store', ['core', 'database', 'outbox', 'api', 'waivers', 'embedded-postgres']],
  ['packages/delivery', ['core', 'outbound', 'outbox', 'store']],
  [
    'packages/integration',
    [
      'core',
      'api',
      'waivers',
      'outbound',
      'plugin-kit',
      'contract-check',
      'database',
      'http',
      'outbox',
      'store',
      'delivery',
    ],
  ],
  [
    'packages/testing',
    [
      'core',
      'database',
      'forms',
      'http',
      'integration',
      'plugin-kit',
      'plugin-standard',
      'plugin-standard-query',
      'simulator',
      'store',
    ],
  ],
  ['packages/people', ['core', 'api', 'outbound', 'plugin-kit', 'database', 'http', 'store', 'integration']],
  ['packages/operations', ['api', 'waivers', 'database', 'http', 'outbox', 'store', 'integration']],
  ['packages/alerts', ['api', 'database', 'http', 'outbox', 'store', 'delivery', 'integration']],
  [
    'packages/signing',
    [
      'core',
      'api',
      'waivers',
      'forms',
      'evidence',
      'database',
      'http',
      'outbox',
      'store',
      'integration',
      'alerts',
    ],
  ],
  [
    'packages/invitations',
    [
      'core',
      'api',
      'waivers',
      'plugin-kit',
      'database',
      'http',
      'outbox',
      'store',
      'delivery',
      'integration',
      'alerts',
      'signing',
    ],
  ],
  [
    'packages/day-board',
    ['core', 'api', 'waivers', 'plugin-kit', 'database', 'http', 'store', 'integration', 'signing'],
  ],
  ['packages/kiosk', ['api', 'forms', 'database', 'http', 'store', 'integration', 'signing', 'day-board']],
  [
    'packages/guest-data',
    ['api', 'waivers', 'evidence', 'database', 'http', 'outbox', 'store', 'integration', 'signing'],
  ],
  ['apps/host', everything],
  ['apps/console', ['api', 'forms']],
  ['apps/check-in', ['api', 'forms']],
  ['apps/partner-check', ['core', 'outbound', 'contract-check', 'evidence', 'host']],
  ['tools', everything],
  ['tools/bench', everything],
]);
const pluginArrows = ['core', 'plugin-kit', 'octo-kit'];

/** Modules that only certain folders may import. */
const reserved: readonly { modules: RegExp; folders: RegExp; why: string }[] = [
  {
    modules: /^(pg|pg-copy-streams|kysely)(\/|$)/,
    folders:
      /^packages\/(database|outbox|store|testing|people|operations|alerts|signing|invitations|day-board|kiosk|guest-data)$/,
    why: 'SQL lives in packages/database, in packages/store and in what features keep beside it',
  },
  {
    modules: /^(axios|undici)(\/|$)/,
    folders: /^packages\/outbound$/,
    why: 'calls out go through packages/outbound',
  },
  {
    modules: /^(fastify|@fastify\/.*|inversify|reflect-metadata)$/,
    folders:
      /^(apps\/host|packages\/(http|integration|testing|people|operations|alerts|signing|invitations|day-board|kiosk|guest-data))$/,
    why: 'only the host is a server and composes',
  },
];

/** Apps for browsers take only the API's types: zod compiles code, which their Content-Security-Policy forbids. */
const takesTypesOnly = /^apps\/(console|check-in)$/;
const valueOfApi = /^\s*(?:import|export)\s(?!type\s)[^'";]*\sfrom\s'@waiver-service\/api'/m;

/** A plugin's simulated vendor, which only tests start. */
const isSimulator = ({ path }: SourceFile) => /^plugins\/[^/]+\/simulator\//.test(path);
const isTest = (file: SourceFile) => isSimulator(file) || /\/(test|testing)\//.test(file.path);
const packageNameOf = (module: string) =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');

function relativeProblem(file: SourceFile, module: string, { folder }: WorkspacePackage): string | undefined {
  const target = join(dirname(file.path), module);
  if (!target.startsWith(`${folder}/`))
    return `${file.path}: "${module}" leaves ${folder}; import the package by its name`;
  if (isSimulator(file) && !target.startsWith(`${folder}/simulator/`))
    return `${file.path}: imports "${module}", but a simulator shares nothing with its plugin, least of all its mistakes`;
  if (isTest(file)) return undefined;
  if (!target.startsWith(`${folder}/src/`))
    return `${file.path}: sources import sources only, not "${module}"`;
  const composition = `${folder}/src/composition`;
  if (dirname(target) === composition && ![composition, `${folder}/src`].includes(dirname(file.path)))
    return `${file.path}: imports "${module}", but nothing is given the whole host: say what is needed`;
  return undefined;
}

function arrowProblem(file: SourceFile, module: string, { folder }: WorkspacePackage): string | undefined {
  const allowed = arrows.get(folder) ?? (folder.startsWith('plugins/') ? pluginArrows : undefined);
  if (allowed === undefined)
    return `${folder}: no arrow is drawn for this folder; draw it in tools/src/checks/boundaries.ts`;
  const target = packageNameOf(module).replace('@waiver-service/', '');
  if (allowed === everything || allowed.includes(target)) return undefined;
  return `${file.path}: ${folder} may not import ${module} (it may: ${allowed.join(', ') || 'nothing'})`;
}

function packageProblems(
  file: SourceFile,
  module: string,
  owner: WorkspacePackage,
  workspace: Workspace,
): string[] {
  const name = packageNameOf(module);
  const problems: (string | undefined)[] = [];
  const declared =
    isTest(file) || isTool(owner)
      ? [...owner.dependencies, ...owner.devDependencies, ...workspace.rootDevDependencies, owner.name]
      : owner.dependencies;
  if (!isBuiltin(module) && !declared.includes(name)) {
    problems.push(`${file.path}: imports ${name}, which ${owner.folder}/package.json does not declare`);
  }
  if (isTest(file)) return problems.filter((problem) => problem !== undefined);
  if (name.startsWith('@waiver-service/')) problems.push(arrowProblem(file, module, owner));
  if (name === '@waiver-service/api' && takesTypesOnly.test(owner.folder) && valueOfApi.test(file.text)) {
    problems.push(
      `${file.path}: imports a value from ${name}; use \`import type\`, which leaves zod out of the bundle`,
    );
  }
  for (const { modules, folders, why } of reserved) {
    if (modules.test(module) && !folders.test(owner.folder) && !isTool(owner)) {
      problems.push(`${file.path}: imports ${module}, but ${why}`);
    }
  }
  return problems.filter((problem) => problem !== undefined);
}

/** Imports that are not allowed, or that package.json does not declare. */
export function findBoundaryProblems(workspace: Workspace): string[] {
  return workspace.packages.flatMap((owner) =>
    owner.files.flatMap((file) =>
      file.imports.flatMap((module) =>
        module.startsWith('.')
          ? (relativeProblem(file, module, owner) ?? [])
          : packageProblems(file, module, owner, workspace),
      ),
    ),
  );
}

const source = 'packages/store/src';
const readme = 'packages/store/README.md';

/** Upward imports in packages/store. Its README lists the layers: folders, and files beside them. */
export function findStoreLayerProblems({ root, packages }: Workspace): string[] {
  const files = packages.flatMap((each) => (each.folder === 'packages/store' ? each.files : []));
  return storeLayerProblems(readFileSync(join(root, readme), 'utf8'), files);
}

const layerOf = (path: string) => path.slice(`${source}/`.length).split('/')[0] ?? '';

/** @param page - the README, whose table lists the layers from the bottom */
export function storeLayerProblems(
  page: string,
  files: readonly Pick<SourceFile, 'path' | 'imports'>[],
): string[] {
  const listed = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
  const sources = files.filter(({ path }) => path.startsWith(`${source}/`));
  const found = new Set(sources.map(({ path }) => layerOf(path)));
  const upward = sources.flatMap(({ path, imports }) =>
    imports.flatMap((module) => {
      if (!module.startsWith('.')) return [];
      const [from, to] = [layerOf(path), layerOf(join(dirname(path), module))];
      if (listed.indexOf(to) <= listed.indexOf(from)) return [];
      return `${path}: imports "${module}", but ${to} is a layer above ${from}; ${readme} lists the layers from the bottom`;
    }),
  );
  return [
    ...upward,
    ...listed
      .filter((name) => !found.has(name))
      .map((name) => `${readme}: lists the layer ${name}, which is not in ${source}`),
    ...[...found]
      .filter((name) => !listed.includes(name))
      .map((name) => `${readme}: does not list the layer ${name}`),
  ];
}
