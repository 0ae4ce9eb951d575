import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { findBoundaryProblems, storeLayerProblems } from '../src/checks/boundaries.ts';
import { findHouseRuleProblems } from '../src/checks/house-rules.ts';
import { anchorOf, findBrokenLinks, unshownThreats } from '../src/checks/links.ts';
import { findDeclarationProblems } from '../src/checks/manifests.ts';
import { findPluginEscapes, findPluginFileProblems, pluginFileWords } from '../src/checks/plugin-sources.ts';
import { findMigrationProblems, foreignTables } from '../src/checks/tables.ts';
import { importsOf, type Workspace, type WorkspacePackage } from '../src/checks/workspace.ts';

function packageWith(change: Partial<WorkspacePackage> & { source?: string; path?: string }): Workspace {
  const folder = change.folder ?? 'plugins/example';
  const text = change.source ?? '';
  return {
    root: '/nowhere',
    rootDevDependencies: ['vitest'],
    packages: [
      {
        folder,
        name: '@waiver-service/plugin-example',
        dependencies: [],
        devDependencies: [],
        references: [],
        files: [{ path: `${folder}/${change.path ?? 'src/index.ts'}`, text, imports: importsOf(text) }],
        ...change,
      },
    ],
  };
}

describe('imports', () => {
  it.each([
    ["import { a } from 'one';", ['one']],
    ["import type {\n  A,\n} from 'one';\nexport * from './two.ts';", ['one', './two.ts']],
    ["import 'one';\nconst two = await import('vitest');", ['one', 'vitest']],
    ["const text = 'import nothing';", []],
  ])('are found in %j', (text, expected) => {
    expect(importsOf(text)).toEqual(expected);
  });
});

describe('boundaries', () => {
  const dependencies = ['@waiver-service/store', '@waiver-service/plugin-kit', 'inversify', 'undici'];
  it.each([
    ["import '@waiver-service/store';", /may not import @waiver-service\/store/],
    ["import 'inversify';", /only the host/],
    ["import 'undici';", /calls out go through/],
    ["import 'left-pad';", /does not declare/],
    ["import '../../other/src/index.ts';", /leaves plugins\/example/],
    ["import '../test/fixture.ts';", /sources import sources only/],
  ])('%s in a plugin is a problem', (source, problem) => {
    expect(findBoundaryProblems(packageWith({ source, dependencies }))).toEqual([
      expect.stringMatching(problem),
    ]);
  });

  it.each([
    ['../src/index.ts', /a simulator shares nothing with its plugin/],
    ['./answer-vendor.ts', undefined],
    ['@waiver-service/simulator', undefined],
  ])('the simulator of a plugin imports %s', (module, problem) => {
    const workspace = packageWith({
      path: 'simulator/start-vendor.ts',
      source: `import '${module}';`,
      devDependencies: ['@waiver-service/simulator'],
    });
    expect(findBoundaryProblems(workspace)).toEqual(problem ? [expect.stringMatching(problem)] : []);
  });

  it('a plugin may import the kit', () => {
    expect(
      findBoundaryProblems(packageWith({ source: "import '@waiver-service/plugin-kit';", dependencies })),
    ).toEqual([]);
  });

  it.each([
    ['src/pools/pool-routes.ts', '../composition/serve-features.ts', /say what is needed/],
    ['src/main.ts', './composition/run-host.ts', undefined],
    ['src/composition/run-host.ts', './create-host.ts', undefined],
  ])('%s imports %s', (path, module, problem) => {
    const workspace = packageWith({ folder: 'apps/host', source: `import '${module}';`, path });
    expect(findBoundaryProblems(workspace)).toEqual(problem ? [expect.stringMatching(problem)] : []);
  });

  it('a folder without an arrow is a problem', () => {
    const workspace = packageWith({
      folder: 'packages/new',
      source: "import '@waiver-service/store';",
      dependencies,
    });
    expect(findBoundaryProblems(workspace)).toEqual([expect.stringMatching(/no arrow is drawn/)]);
  });
});

describe('the files of a plugin', () => {
  it.each([
    ['src/read.ts', []],
    ['src/read/guests.ts', []],
    ['src/index.ts', []],
    ['test/anything.test.ts', []],
    ['src/fetch-booking.ts', [expect.stringMatching(/name the file after its function.*read, list/)]],
    ['src/native/guests.ts', [expect.stringMatching(/^plugins\/example\/src\/native\/guests\.ts: /)]],
    ['src/constructor.ts', [expect.stringMatching(/name the file/)]],
  ])('%s', (path, problems) => {
    expect(findPluginFileProblems(packageWith({ path }))).toEqual(problems);
  });

  it('have the same names in what the plugins for OCTO share, and any names elsewhere', () => {
    const inPackage = (folder: string) =>
      findPluginFileProblems(packageWith({ folder, path: 'src/native/guests.ts' }));
    expect(inPackage('packages/octo-kit')).toHaveLength(1);
    expect(inPackage('packages/plugin-kit')).toEqual([]);
  });

  it('are explained to the authors of plugins, word by word', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/plugins/writing-a-plugin.md'), 'utf8');
    for (const word of Object.keys(pluginFileWords)) expect(page).toContain(`| \`${word}.ts\``);
  });
});

describe('the way out of a plugin', () => {
  it.each([
    ["import http from 'node:http';", /imports node:http, but a plugin has no way out but context\.http/],
    ["import { connect } from 'net';", /imports net,/],
    ["import tls from 'node:tls';", /node:tls/],
    ["import dgram from 'node:dgram';", /node:dgram/],
    ["import { lookup } from 'node:dns/promises';", /node:dns\/promises/],
    ["import { readFile } from 'node:fs/promises';", /node:fs\/promises/],
    ["import { spawn } from 'node:child_process';", /node:child_process/],
    ["import { createRequire } from 'node:module';", /node:module/],
    ["import { request } from 'undici';", /imports undici/],
    ["import axios from 'axios';", /imports axios/],
    ["export { default } from 'node-fetch';", /imports node-fetch/],
    ["const { get } = await import('node:https');", /node:https/],
    ["const name = 'node:' + 'https';\nawait import(name);", /computed name/],
    ["const answer = await fetch('https://a.example/' + id);", /uses fetch/],
    ['const ask = fetch;', /uses fetch/],
    ["globalThis['fetch']('https://a.example');", /uses globalThis/],
    ['new WebSocket(url);', /uses WebSocket/],
    ["process.getBuiltinModule('http');", /uses process/],
    ["require('http');", /uses require/],
  ])('is not %s', (source, problem) => {
    expect(findPluginEscapes(packageWith({ source }))).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    "import { createHmac } from 'node:crypto';\nimport { z } from 'zod';",
    'const answer = await context.http.get(path);\nawait plugin.fetchBooking(context, id);',
    '// fetch it again, as node:http does\n/* process */\nthrow new Error("require, fetch or process");',
    'const fields = { fetch: true, process: 1 };\nawait session.fetch(id);',
  ])('may be %j', (source) => {
    expect(findPluginEscapes(packageWith({ source }))).toEqual([]);
  });

  it.each([
    ['plugins/example', 'test/server.ts'],
    ['packages/example', 'src/index.ts'],
  ])('is of no concern in %s/%s', (folder, path) => {
    const workspace = packageWith({ folder, path, source: "import 'node:http';\nfetch('x');" });
    expect(findPluginEscapes(workspace)).toEqual([]);
  });
});

describe('declarations', () => {
  it('an unused dependency is a problem', () => {
    expect(findDeclarationProblems(packageWith({ dependencies: ['zod'] }))).toEqual([
      expect.stringMatching(/declares zod/),
    ]);
  });

  it('a tool that would be installed with the service is a problem', () => {
    const folder = 'tools/example';
    const source = "import 'zod';";
    expect(findDeclarationProblems(packageWith({ folder, source, dependencies: ['zod'] }))).toEqual([
      expect.stringMatching(/zod must be among devDependencies/),
    ]);
    expect(findDeclarationProblems(packageWith({ folder, source, devDependencies: ['zod'] }))).toEqual([]);
  });

  it('a reference that package.json does not declare is a problem', () => {
    expect(findDeclarationProblems(packageWith({ references: ['packages/store'] }))).toEqual([
      expect.stringMatching(/refers to packages\/store/),
    ]);
  });
});

describe('house rules', () => {
  it.each([
    ['', 'src/utils.ts', /name the file/],
    ['process.env.SECRET', 'src/index.ts', /reads the environment/],
  ])('%# is a problem', (source, path, problem) => {
    expect(findHouseRuleProblems(packageWith({ source, path }))).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    'new Intl.NumberFormat(navigator.language)',
    'Intl.DateTimeFormat().format(at)',
    'count.toLocaleString()',
    'navigator.languages[0]',
    'one.localeCompare(other)',
  ])('in the console, %s is a problem outside of the file of formats', (source) => {
    const problemsIn = (path: string) =>
      findHouseRuleProblems(packageWith({ folder: 'apps/console', source, path }));
    expect(problemsIn('src/pages/a.tsx')).toEqual([expect.stringMatching(/formats by a locale/)]);
    expect(problemsIn('src/text/formats.ts')).toEqual([]);
  });
});

it('a threat without a test that shows its protection is a problem', () => {
  const page = `# Policy

## Threats

| Asset | Attacker | Threat | Shown by |
| ----- | -------- | ------ | -------- |
| access | a stranger | guesses | [throttle](a/b.test.ts) |
| access | a stranger | hopes | [a page](a/b.md) |

## More
`;
  expect(unshownThreats(page)).toEqual(['hopes']);
});

describe('a migration', () => {
  const problemsOf = (text: string, file = '0031-example') =>
    findMigrationProblems(
      packageWith({
        folder: 'packages/store',
        path: `src/migrations/${file}.ts`,
        source: text,
      }),
    );

  it.each([
    'create table note (id text)',
    'alter table waiver add column note text',
    'alter table destination drop constraint kinds, add constraint kinds check (true)',
    'create index note_of_pool on note (pool)',
    "export const withoutNotes = { needs: '0030-notes', up: 'alter table waiver drop column note' }",
  ])('that expands, or says what it needs, is fine: %s', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    ['alter table waiver drop column note', /what it `needs`/],
    ['alter table waiver rename column note to remark', /what it `needs`/],
    ['alter table waiver alter column note set not null', /what it `needs`/],
    ['drop table note', /what it `needs`/],
    ['create index waiver_by_note on waiver (note)', /use `index`/],
    ['create unique index delivery_by_note\n on delivery (note)', /use `index`/],
    ['create index pending_by_note on pending (note)', /use `index`/],
    ['create index ended_by_note on ended (note)', /use `index`/],
  ])('that hosts of the version before do not survive is a problem: %s', (text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(problem)]);
    expect(problemsOf(text, 'baseline/waivers')).toEqual([]);
  });
});

describe('a table', () => {
  const store = {
    folder: 'packages/store',
    files: [
      {
        path: 'packages/store/src/migrations/baseline/pools.ts',
        text: 'create table pool (id text); create table access_token (id text);',
      },
    ],
  };
  const problemsOf = (text: string) =>
    foreignTables(
      [
        store,
        { folder: 'packages/people', files: [{ path: 'packages/people/src/data/credentials.ts', text }] },
      ],
      () => 'Open to others: `pool`.',
    );

  it.each([
    'sql`select from access_token where id = 1`',
    'sql`delete from credential c using access_token t`',
    "database.insertInto('accessToken')",
    "[{ table: 'access_token', maxBatchSize: 500 }]",
  ])('is its package’s alone: %s', (text) => {
    expect(problemsOf(text)).toEqual([
      'packages/people/src/data/credentials.ts: a statement on "access_token", which is of packages/store: call its functions, or open the table in its README',
    ]);
  });

  it('may be open to others', () => {
    expect(problemsOf("sql`select from credential join pool p`; database.selectFrom('pool')")).toEqual([]);
  });

  it.each([
    'sql`update pool set name = 1`',
    'sql`delete from pool p`',
    "database.insertInto('pool')",
    "[{ table: 'pool', maxBatchSize: 500 }]",
  ])('that is open to others is changed by its owner only: %s', (text) => {
    expect(problemsOf(text)).toEqual([
      'packages/people/src/data/credentials.ts: changes "pool", which is of packages/store: call its functions',
    ]);
  });

  it('may be locked where it is read', () => {
    expect(problemsOf('sql`select from pool p where p.id = 1 for update of p`')).toEqual([]);
  });
});

describe('the layers of the store', () => {
  const readme =
    '# Store\n\n| layer | holds |\n| --- | --- |\n| `database` | SQL |\n| `outbox` | messages |\n| `store.ts` | all |\n';
  const problemsOf = (sources: Readonly<Record<string, string>>) =>
    storeLayerProblems(
      readme,
      Object.entries(sources).map(([path, text]) => ({
        path: `packages/store/src/${path}`,
        imports: importsOf(text),
      })),
    );
  const layers = {
    'database/connect.ts': "import './retry.ts';\nimport 'pg';",
    'outbox/claim.ts': "import { connect } from '../database/connect.ts';",
    'store.ts': "import './outbox/claim.ts';",
  };

  it('may import downward', () => {
    expect(problemsOf(layers)).toEqual([]);
  });

  it('may not import upward', () => {
    expect(
      problemsOf({ ...layers, 'database/connect.ts': "import type { Claim } from '../outbox/claim.ts';" }),
    ).toEqual([
      'packages/store/src/database/connect.ts: imports "../outbox/claim.ts", but outbox is a layer above database; packages/store/README.md lists the layers from the bottom',
    ]);
  });

  it('are all listed in the README, each once, and nothing else is', () => {
    const { 'store.ts': _, ...others } = layers;
    expect(problemsOf({ ...others, 'waivers/waivers.ts': '' })).toEqual([
      'packages/store/README.md: lists the layer store.ts, which is not in packages/store/src',
      'packages/store/README.md: does not list the layer waivers',
    ]);
  });
});

describe('links in pages', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'links-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  test.each([
    ['Install and uninstall (contract 4.4, 4.5)', 'install-and-uninstall-contract-44-45'],
    ['1. Its responses: `fixtures`', '1-its-responses-fixtures'],
    ['Größe – [überall](x.md)', 'größe--überall'],
  ])('the heading %j has the anchor %j', (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });

  test('links to files, folders, headings and other sites are fine', () => {
    write('README.md', '# Top\n\n[a](docs/a.md#one-two) [b](docs) [c](https://example.com/x#y) [d](#top)\n');
    write('docs/a.md', '# A\n\n## One `two`\n\n[up](../README.md)\n');
    expect(findBrokenLinks({ root })).toEqual([]);
  });

  test('a missing picture is a problem', () => {
    write('a.png', '');
    write('README.md', '<img src="a.png" alt="A">\n<img src="b.png" alt="B">\n![C](c.png)\n');
    expect(findBrokenLinks({ root })).toEqual([
      'README.md: b.png: there is no such file',
      'README.md: c.png: there is no such file',
    ]);
  });

  test('a missing file and a missing heading are problems', () => {
    write('README.md', '[a](docs/a.md#three) [b](docs/b.md)\n');
    write('docs/a.md', '# A\n\n```sh\n# three\n```\n');
    expect(findBrokenLinks({ root })).toEqual([
      'README.md: docs/a.md#three: the page has no such heading',
      'README.md: docs/b.md: there is no such file',
    ]);
  });

  test('llms.txt and the pages of .github are looked at, too', () => {
    write('llms.txt', '- [a](a.md)\n');
    write('.github/pull_request_template.md', '[b](../b.md)\n');
    expect(findBrokenLinks({ root })).toEqual([
      '.github/pull_request_template.md: ../b.md: there is no such file',
      'llms.txt: a.md: there is no such file',
    ]);
  });

  test('code and installed packages are not looked at', () => {
    write('README.md', '```md\n[a](a.md)\n```\n');
    write('node_modules/some/README.md', '[a](a.md)\n');
    expect(findBrokenLinks({ root })).toEqual([]);
  });
});
