import { expect, test } from 'vitest';
import { exportsOf, findStaleExports, withExports } from '../src/checks/plugin-interface/plugin-kit-page.ts';

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
