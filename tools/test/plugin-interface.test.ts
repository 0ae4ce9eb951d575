import { describe, expect, test } from 'vitest';
import {
  findStaleTables,
  type PluginInterface,
  readPluginInterface,
  withTables,
} from '../src/checks/plugin-interface/plugin-interface-page.ts';
import { exportsOf, findStaleExports, withExports } from '../src/checks/plugin-interface/plugin-kit-page.ts';
import { repository } from '../src/outside/outside-place.ts';

const declared: PluginInterface = {
  interfaces: [
    {
      name: 'Token',
      description: 'What a vendor gave.',
      bases: ['Secret'],
      members: [
        { name: 'text', isOptional: false, type: 'string', description: 'Kept out of logs.' },
        { name: 'renew(at)', isOptional: true, type: 'Promise<Token<Settings, Account>>', description: '' },
      ],
    },
  ],
  errors: [{ name: 'Gone', code: 'gone', isRetryable: false, description: 'It is not there.' }],
  warnings: [{ code: 'odd', description: 'It was odd.' }],
};
const page = (between: string) => `# Page\n\n<!-- interface Token -->${between}<!-- end -->\n\nProse.\n`;

describe('the page of the plugin interface', () => {
  const written = withTables(page('\n\n'), declared);

  test('has a table of each interface in its place, and its prose', () => {
    expect(written).toBe(`# Page

<!-- interface Token -->
**Token**: What a vendor gave.

It has everything of \`Secret\`, and:

| Member       | Type             | Meaning           |
| ------------ | ---------------- | ----------------- |
| \`text\`       | \`string\`         | Kept out of logs. |
| \`renew?(at)\` | \`Promise<Token>\` |                   |
<!-- end -->

Prose.
`);
    expect(findStaleTables(written, declared)).toEqual([]);
  });

  test('has tables of errors and warnings', () => {
    const tables = withTables('<!-- errors -->\n<!-- end -->\n<!-- warnings -->\n<!-- end -->', declared);
    expect(tables).toContain('| `Gone` | `gone` | no          | It is not there. |');
    expect(tables).toContain('| `odd`  | It was odd. |');
  });

  test('is out of date once a declaration has changed', () => {
    const [token] = declared.interfaces;
    if (token === undefined) throw new Error('there is no interface');
    const changed = { ...declared, interfaces: [{ ...token, description: 'What a vendor sold.' }] };
    expect(findStaleTables(written, changed)).toEqual([
      expect.stringMatching(/out of date; run npm run docs/),
    ]);
  });

  test('lacks an interface that has no place in it', () => {
    expect(findStaleTables('# Page\n', declared)).toEqual([
      expect.stringContaining('has no table of Token; write <!-- interface Token --> and <!-- end -->'),
    ]);
  });

  test('names an interface that core does not have', () => {
    expect(() => withTables('<!-- interface Nobody -->\n<!-- end -->', declared)).toThrow(
      /no interface Nobody/,
    );
  });
});

test('the declarations of core are read with their comments, whatever file they are in', () => {
  const { interfaces, errors, warnings } = readPluginInterface(repository);
  const members = interfaces.find(({ name }) => name === 'BookingSystemPlugin')?.members ?? [];
  expect(members.find(({ name }) => name.startsWith('pushWaiver'))).toEqual({
    name: 'pushWaiver(context, waiver, document)',
    isOptional: true,
    type: 'Promise<PushedWaiver>',
    description: expect.stringMatching(
      /^Writes one waiver \(contract 4\.2\).* Omit if `capabilities\.guestUpdate` is false\.$/,
    ),
  });
  expect(errors.find(({ name }) => name === 'RateLimited')).toMatchObject({
    code: 'booking_system_rate_limited',
    isRetryable: true,
    description: expect.stringContaining('429'),
  });
  expect(errors.find(({ name }) => name === 'WaiverRejected')?.isRetryable).toBeUndefined();
  const functions = interfaces.find(({ name }) => name === 'BookingSystemSession')?.members ?? [];
  expect(functions.find(({ name }) => name.startsWith('renew'))?.description).toMatch(
    /^Opens a session[^*\n]+[a-zA-Z`]\.?$/,
  );
  expect(warnings).toContainEqual({ code: 'null_as_absent', description: 'An optional field was null.' });
});

describe('the page of the plugin kit', () => {
  const file = (path: string, text: string) => ({ path: `packages/${path}`, text, imports: [] });
  const files = [
    file(
      'plugin-kit/src/index.ts',
      "export { type Note, push } from './note.ts';\nexport { encode } from '@x/y';\n",
    ),
    file(
      'plugin-kit/src/note.ts',
      '/** A note. */\nexport interface Note {}\n\n/**\n * Pushes a {@link Note},\n * twice. Returns it.\n */\nexport async function push() {}\n',
    ),
    file('outbound/src/encode.ts', '/** Encodes a text */\nexport const encode = 1;\n'),
  ];
  const exports = exportsOf(files);
  const page = '# Kit\n\n<!-- exports push/Note encode -->\n<!-- end -->\n';

  test('the page has a row for each export, with its first sentence and its types', () => {
    const written = withExports(page, exports);
    expect(written).toBe(`# Kit

<!-- exports push/Note encode -->
| Export   | Purpose                                |
| -------- | -------------------------------------- |
| \`push\`   | Pushes a \`Note\`, twice. Types: \`Note\`. |
| \`encode\` | Encodes a text                         |
<!-- end -->
`);
    expect(findStaleExports(written, exports)).toEqual([]);
    expect(findStaleExports(page, exports)).toEqual([expect.stringContaining('is out of date')]);
  });

  test('an export that is not listed, and a name that is none, are problems', () => {
    expect(findStaleExports(page.replace('encode', 'decode'), exports)).toEqual([
      expect.stringContaining('does not list encode'),
      expect.stringContaining('lists decode, which the kit does not export'),
    ]);
  });
});
