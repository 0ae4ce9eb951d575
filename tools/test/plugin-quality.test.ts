import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  findStalePages,
  pagePath,
  readmePath,
  writeBookingSystemsPage,
} from '../src/checks/plugins/booking-systems-page.ts';
import { type ExaminedPlugin, examinePlugins, type RuleName } from '../src/checks/plugins/examined-plugin.ts';
import { findQualityProblems, readmeHeadings } from '../src/checks/plugins/quality.ts';
import { readWorkspace } from '../src/checks/workspace.ts';

const workspace = readWorkspace(join(import.meta.dirname, '../..'));

const done = { state: 'done' } as const;
const readme = readmeHeadings.map((heading) => `\n${heading}\n\nIt says so, of the live system.\n`).join('');

/** A plugin whose rules are all done, for good reason. */
const whole: ExaminedPlugin = {
  folder: 'plugins/acme',
  manifest: {
    specificationVersion: 'v1',
    installName: 'acme',
    displayName: 'Acme | Bookings',
    writeUnit: 'booking',
    capabilities: {
      forms: ['current', 'native'],
      guestUpdate: true,
      takes: ['notes'],
      void: true,
      inbound: 'native',
      requestLimits: { per: 'installation', windows: [{ requests: 30, windowMs: 1_000 }] },
    },
  },
  tier: 'documents',
  rules: {
    fixtures: done,
    'error-mapping': done,
    'write-back': done,
    void: done,
    inbound: done,
    'settings-documented': done,
    traps: done,
    limits: done,
    'real-http-test': done,
    readme: done,
  },
  settings: [{ key: 'branch', description: 'The branch.' }],
  account: [{ key: 'apiKey', description: 'The key.' }],
  readme: `${readme} \`branch\`, \`apiKey\``,
  fixtures: [
    { path: 'fixtures/current.json', body: { bookedSessions: [] } },
    { path: 'fixtures/own.json', body: { ref: 'R-1' } },
  ],
  hasJourney: true,
};
const able = whole.manifest.capabilities;

const withCapabilities = (change: Partial<typeof able>): Partial<ExaminedPlugin> => ({
  manifest: { ...whole.manifest, capabilities: { ...able, ...change } },
});
const problemsOf = (change: Partial<ExaminedPlugin>) =>
  findQualityProblems([{ plugin: { ...whole, ...change } }]);

test('a plugin that does all that it says is done has no problem', () => {
  expect(problemsOf({})).toEqual([]);
});

describe('what is said to be done and is not is named: plugin, rule, what is missing', () => {
  test.each<[RuleName, Partial<ExaminedPlugin>, string]>([
    ['fixtures', { fixtures: whole.fixtures.slice(1) }, 'there is no body of the form current'],
    ['fixtures', { fixtures: whole.fixtures.slice(0, 1) }, 'there is no body of the form native'],
    [
      'fixtures',
      { fixtures: [...whole.fixtures, { path: 'fixtures/odd.json', body: undefined }] },
      'fixtures/odd.json is not JSON',
    ],
    ['write-back', withCapabilities({ guestUpdate: false }), 'capabilities.guestUpdate is false'],
    ['void', withCapabilities({ void: false }), 'capabilities.void is false'],
    ['inbound', withCapabilities({ inbound: 'none' }), 'capabilities.inbound is none'],
    [
      'settings-documented',
      { settings: [{ key: 'branch', description: undefined }] },
      'branch of settingsSchema has no description',
    ],
    [
      'settings-documented',
      { account: [{ key: 'shortname', description: 'A name.' }] },
      'README.md does not name `shortname` of accountSchema',
    ],
    ['limits', withCapabilities({ requestLimits: undefined }), 'capabilities.requestLimits is not declared'],
    ['real-http-test', { hasJourney: false }, 'there is no test/journey.ts'],
    [
      'readme',
      {
        readme: whole.readme.replace(
          '## Inbound calls\n\nIt says so, of the live system.',
          '## Inbound calls\n',
        ),
      },
      'says nothing under "## Inbound calls"',
    ],
    ['readme', { readme: `${whole.readme} TODO` }, 'README.md has a TODO'],
    ['readme', { readme: whole.readme.replaceAll('live', 'green') }, 'checked against a live system'],
  ])('%s: %#', (rule, change, missing) => {
    expect(problemsOf(change)).toEqual([
      expect.stringMatching(new RegExp(`^plugins/acme: quality\\.json says that ${rule} is done, but .`)),
    ]);
    expect(problemsOf(change)[0]).toContain(missing);
    const rules = { ...whole.rules, [rule]: { state: 'todo', reason: 'It is not done.' } };
    expect(problemsOf({ ...change, rules })).toEqual([]);
  });
});

test.each<RuleName>(['write-back', 'void', 'inbound', 'limits'])(
  'an exemption from %s that its own manifest contradicts is a problem',
  (rule) => {
    const rules = { ...whole.rules, [rule]: { state: 'exempt', reason: 'It cannot be done.' } };
    expect(problemsOf({ rules })).toEqual([
      expect.stringMatching(new RegExp(`^plugins/acme: quality.json says that ${rule} is exempt, but capab`)),
    ]);
  },
);

test('an exemption from settings-documented is a problem where there is a setting beside what every account brings', () => {
  const rules = {
    ...whole.rules,
    'settings-documented': { state: 'exempt', reason: 'It has none.' },
  } as const;
  expect(problemsOf({ rules })).toEqual([
    'plugins/acme: quality.json says that settings-documented is exempt, but it has branch: make it done or todo',
  ]);
  const account = [...whole.account, { key: 'apiSecret', description: 'The secret.' }];
  expect(problemsOf({ rules, settings: [], account })).toEqual([
    expect.stringContaining('it has apiSecret:'),
  ]);
  expect(problemsOf({ rules, settings: [] })).toEqual([]);
});

test('an install name that is not the name of the folder', () => {
  expect(problemsOf({ folder: 'plugins/other' })).toEqual([
    'plugins/other: its installName is acme; it must be the name of its folder',
  ]);
});

describe('a plugin in a folder', () => {
  let root = '';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'waiver-quality-'));
    const write = (path: string, text: string) => {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    for (const name of ['reasonless', 'broken', 'empty', 'unfinished']) {
      write(`plugins/${name}/package.json`, `{"name":"${name}"}`);
      write(`plugins/${name}/tsconfig.json`, '{}');
      write(`plugins/${name}/README.md`, '');
      write(`plugins/${name}/quality.json`, JSON.stringify({ tier: whole.tier, rules: whole.rules }));
    }
    const rules = { ...whole.rules, void: { state: 'exempt' }, traps: { state: 'almost' }, more: done };
    write('plugins/reasonless/quality.json', JSON.stringify({ tier: 'proven', rules }));
    write('plugins/reasonless/src/index.ts', 'export default {};');
    write('plugins/broken/src/index.ts', "throw new Error('boom');");
    write('plugins/empty/src/index.ts', 'export const plugin = 1;');
    write('tools/package.json', '{"name":"tools"}');
    write('tools/tsconfig.json', '{}');
    write('package.json', '{}');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test('that cannot be examined is named with what is wrong, and the others go on', async () => {
    const problems = findQualityProblems(await examinePlugins(readWorkspace(root)));
    expect(problems).toEqual([
      expect.stringMatching(/^plugins\/broken\/src\/index\.ts: loading it failed: boom/),
      'plugins/empty/src/index.ts: has no default export made with defineBookingSystem',
      expect.stringMatching(/^plugins\/reasonless\/quality\.json: tier: must be "documents"/),
      expect.stringMatching(/^plugins\/reasonless\/quality\.json: rules\.void\.reason: /),
      expect.stringMatching(/^plugins\/reasonless\/quality\.json: rules\.traps\.state: /),
      expect.stringMatching(/^plugins\/reasonless\/quality\.json: rules: .*"more"/),
    ]);
  });
});

test.each([
  ['documents', 'built from documents'],
  ['recorded', 'recorded from a real account'],
  [{ liveSince: '2027-05-01' }, 'seen live since 2027-05-01'],
] as const)('the tier %j stands in the table of plugins', (tier, text) => {
  expect(writeBookingSystemsPage([{ ...whole, tier }])).toContain(`| ${text} `);
});

test('a plugin that was not verified against a live system is not seen live', () => {
  const unseen = { ...whole, readme: `${whole.readme} Not verified against a live system.` };
  const problemsAt = (tier: ExaminedPlugin['tier']) =>
    findQualityProblems([{ plugin: { ...unseen, tier, manifest: { ...unseen.manifest, tier } } }]);
  expect(problemsAt('recorded')).toEqual([]);
  expect(problemsAt({ liveSince: '2027-05-01' })).toEqual([
    expect.stringMatching(
      /^plugins\/acme: quality\.json says that it is seen live since 2027-05-01, but README/,
    ),
  ]);
});

test('a plugin declares the tier that its quality.json has', () => {
  expect(findQualityProblems([{ plugin: { ...whole, tier: 'recorded' } }])).toEqual([
    expect.stringMatching(/^plugins\/acme: quality\.json has the tier "recorded", .* has "documents"$/),
  ]);
});

test('every plugin here keeps what its quality.json says, and the pages about them are up to date', async () => {
  const plugins = await examinePlugins(workspace);
  expect(plugins.length).toBeGreaterThanOrEqual(2);
  expect(findQualityProblems(plugins)).toEqual([]);
  expect(findStalePages(workspace.root, plugins)).toEqual([]);
  expect(findStalePages(workspace.root, plugins.slice(1))).toEqual(
    [pagePath, readmePath].map((path) => `${path}: is out of date; run npm run docs:booking-systems`),
  );
});

test('the page says what is not done, and why', () => {
  const rules = { ...whole.rules, traps: { state: 'todo' as const, reason: 'Nobody looked yet.' } };
  const page = writeBookingSystemsPage([{ ...whole, rules }]);
  expect(page.replaceAll(/ {2,}/g, ' ')).toContain(
    '[Acme \\| Bookings](../plugins/acme/README.md) | `acme` | built from documents | current, its own | notes |',
  );
  expect(page).toContain('| 30 in 1 s, each installation');
  expect(page).toContain('- `acme`, Traps, todo: Nobody looked yet.');
});

test('the formatter leaves the page as it is', () => {
  const displayName = 'Bókun | 予約 🚣 Ünï';
  const rules = { ...whole.rules, traps: { state: 'todo' as const, reason: 'Nobody looked yet.' } };
  const other = { ...whole, rules, manifest: { ...whole.manifest, displayName } };
  const page = writeBookingSystemsPage([whole, other]);
  const biome = join(workspace.root, 'node_modules/.bin/biome');
  const args = ['format', `--stdin-file-path=${pagePath}`];
  expect(execFileSync(biome, args, { cwd: workspace.root, input: page, encoding: 'utf8' })).toBe(page);
});
