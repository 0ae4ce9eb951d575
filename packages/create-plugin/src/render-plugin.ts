import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginChoices, PluginHome } from './options.ts';
import { recordedValues } from './recorded-values.ts';

const templates = join(import.meta.dirname, '../templates');
const suffix = '.template';

/** A TypeScript string literal, in the quotes that the formatter would choose. */
const literal = (text: string) => (/["'\\]/.test(text) ? JSON.stringify(text) : `'${text}'`);

const list = (texts: readonly string[]) => `[${texts.map(literal).join(', ')}]`;

const formsInWords = {
  current: 'the current form (contract 2.1)',
  legacy: 'the legacy form (contract 9)',
  both: 'both forms, current (contract 2.1) and legacy (contract 9)',
};

const guestIdInWords: Readonly<Record<PluginChoices['guestId'], string>> = {
  none: '`, with nothing after the last slash',
  'waiver-id': "{id}`, where `{id}` is the waiver's id, percent-encoded",
  'booking-guest-id':
    "{id}`, where `{id}` is the guest's id if the booking has one, else the waiver's, percent-encoded",
};

const pascalCase = (name: string) =>
  name
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

function capabilitiesOf(forms: PluginChoices['forms']): string {
  // Both forms are the default.
  if (forms.length > 1) return '';
  return `  capabilities: {
    forms: ${list(forms)},
    guestUpdate: true,
    takes: ['waiver'],
    void: true,
    inbound: 'contract',
  },
`;
}

/** What the code of each way to divide a list has. */
const pageValues: Readonly<Record<PluginChoices['pages'], Readonly<Record<string, string>>>> = {
  number: {
    placeType: 'number',
    placeSchema: 'z.int().min(2)',
    place: 'page',
    sizeParameter: 'size',
    restField: 'pages',
  },
  offset: {
    placeType: 'number',
    placeSchema: 'z.int().min(1)',
    place: 'offset',
    sizeParameter: 'limit',
    restField: 'total',
  },
  cursor: {
    placeType: 'string',
    placeSchema: 'z.string().min(1)',
    place: 'after',
    sizeParameter: 'size',
    restField: 'next',
  },
};

function valuesOf(choices: PluginChoices): Readonly<Record<string, string>> {
  const { name, displayName, authHeaderName, forms, pathShape, guestId, native, pages, write } = choices;
  const [firstForm = 'current', secondForm] = forms;
  return {
    name,
    displayName,
    displayNameText: literal(displayName),
    pascalName: pascalCase(name),
    authHeaderName,
    authHeaderNameText: literal(authHeaderName),
    authHeaderNameProperty: /^[a-z_]\w*$/i.test(authHeaderName) ? authHeaderName : literal(authHeaderName),
    lowerCaseHeaderText: literal(authHeaderName.toLowerCase()),
    pathShape,
    bookingPath:
      pathShape === 'path' ? 'bookings/{booking_id}?pool={pool}' : 'bookings?id={booking_id}&pool={pool}',
    firstForm,
    coreReference: native ? '{ "path": "../../packages/core" }, ' : '',
    formsText: list(forms),
    formsInWords: formsInWords[secondForm === undefined ? firstForm : 'both'],
    capabilities: capabilitiesOf(forms),
    guestId,
    guestIdInWords: guestIdInWords[guestId],
    takesText: write === 'none' ? '[]' : write === 'note' ? "['notes']" : "['fields']",
    isWriting: String(write !== 'none'),
    ...pageValues[pages],
  };
}

/** The conditions of a template's sections. */
function sectionsOf(choices: PluginChoices, home: PluginHome): ReadonlySet<string> {
  const { auth, write, with: parts, pages } = choices;
  const isSearched = parts.includes('lists') || parts.includes('changes');
  return new Set([
    home,
    auth,
    ...(write === 'none' ? [] : [write, 'writes']),
    ...parts,
    ...(isSearched ? [pages, 'search'] : []),
    ...(hasPlaces(choices) ? ['places'] : []),
  ]);
}

const section = /\{\{([#^])([\w-]+)\}\}\n([\s\S]*?)\{\{\/\2\}\}\n/g;

/**
 * The template without the sections of what was not chosen: `{{#note}}` … `{{/note}}`, or `{{^note}}` for its absence.
 * One may be inside another.
 */
const withSections = (template: string, chosen: ReadonlySet<string>): string =>
  template.replace(section, (_, sign: string, name: string, text: string) =>
    chosen.has(name) === (sign === '#') ? withSections(text, chosen) : '',
  );

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A template has {{${name}}}, which has no value.`);
    return value;
  });
}

const readTemplates = (folder: string): [path: string, text: string][] =>
  readdirSync(join(templates, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(suffix))
    .map((path) => [path.slice(0, -suffix.length), readFileSync(join(templates, folder, path), 'utf8')]);

// The parts of the plugin of an imaginary API that depend on none of its fields.
const commonFiles = ['src/account.ts', 'src/answers.ts', 'src/session.ts', 'test/contract.test.ts'];

/** The templates of a kind of plugin, besides those of its home. */
function templatesOf({ native, from }: PluginChoices): [path: string, text: string][] {
  if (!native) return readTemplates('contract');
  if (from === undefined) return readTemplates('native');
  const common = readTemplates('native').filter(([path]) => commonFiles.includes(path));
  return [...common, ...readTemplates('recorded')];
}

/** A plugin's files: their contents by path, relative to its folder. */
export function renderPlugin(choices: PluginChoices, home: PluginHome): ReadonlyMap<string, string> {
  const recorded = choices.from === undefined ? undefined : recordedValues(choices.from);
  const values = { ...valuesOf(choices), ...recorded?.values };
  const chosen = new Set([...sectionsOf(choices, home), ...(recorded?.sections ?? [])]);
  const files = new Map([['package.json', pluginPackageFile(choices, home)]]);
  if (recorded !== undefined) files.set('fixtures/recorded.json', recorded.fixture);
  for (const [path, text] of [...readTemplates(home), ...templatesOf(choices)]) {
    const content = fill(withSections(text, chosen), values);
    if (content !== '') files.set(path, content);
  }
  for (const form of choices.native ? [] : choices.forms) {
    for (const [path, text] of readTemplates(`forms/${form}`)) files.set(`fixtures/${path}`, text);
  }
  const development = files.get('development.md');
  if (development !== undefined) {
    files.delete('development.md');
    files.set('README.md', `${files.get('README.md')}\n${development}`);
  }
  return files;
}

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
const hasPlaces = ({ with: parts, pages }: PluginChoices) =>
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
function pluginPackageFile(choices: PluginChoices, home: PluginHome): string {
  const content = home === 'workspace' ? packageOfWorkspace(choices) : packageOfRepository(choices);
  return `${JSON.stringify(content, null, 2)}\n`;
}
