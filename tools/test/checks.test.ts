import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBoundaryProblems } from '../src/checks/boundaries.ts';
import { findDeclarationProblems } from '../src/checks/declarations.ts';
import { findHouseRuleProblems } from '../src/checks/house-rules.ts';
import { findStaleFaults } from '../src/checks/stale-faults.ts';
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

  it('a plugin may import the kit', () => {
    expect(
      findBoundaryProblems(packageWith({ source: "import '@waiver-service/plugin-kit';", dependencies })),
    ).toEqual([]);
  });

  it.each([
    ['src/pools/pool-routes.ts', '../composition/build-container.ts', /say what is needed/],
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

describe('declarations', () => {
  it('a dependency that nobody imports is a problem', () => {
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
});

describe('planted faults', () => {
  const fault = {
    title: 'a fault',
    file: 'tools/src/checks/stale-faults.ts',
    find: 'export function findStaleFaults',
    replace: '',
    noticedBy: ['killed-hosts'],
  };
  const problemsOf = (change: Partial<typeof fault>) =>
    findStaleFaults(join(import.meta.dirname, '../..'), [
      { area: 'an area', project: 'host', faults: [{ ...fault, ...change }] },
    ]);

  it.each([
    [{}, []],
    [{ find: 'not in the file' }, [expect.stringMatching(/"a fault": its text is 0 times/)]],
    [{ find: 'problems' }, [expect.stringMatching(/not once; update the fault/)]],
    [{ file: 'tools/gone.ts' }, [expect.stringMatching(/0 times in tools\/gone.ts/)]],
    [{ noticedBy: ['no-such-test'] }, [expect.stringMatching(/no test file of host matches no-such-test/)]],
  ])('%j', (change, expected) => {
    expect(problemsOf(change)).toEqual(expected);
  });
});
