import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from '../markdown-table.ts';
import type { SourceFile, Workspace } from '../workspace.ts';

/** Path of the page, relative to the root. Its prose and the order are handwritten, its tables are generated. */
export const kitPagePath = 'packages/plugin-kit/README.md';

/** The place of a table. Each word is an export and, after slashes, the types that belong to it. */
const region = /<!-- exports ([^>]+?) -->\n[\s\S]*?<!-- end -->/g;

const index = 'packages/plugin-kit/src/index.ts';
const exported = /^export \{([^}]+)\} from/gm;
const declaration =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:async )?(?:abstract )?(?:function|const|class|interface|type) (\w+)/g;

/** The first sentence of a TSDoc comment. */
function sentenceOf(comment: string): string {
  const text = comment
    .replace(/^\s*\*/gm, ' ')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

/** The kit's exports, each with what it does. */
export function exportsOf(files: readonly SourceFile[]): ReadonlyMap<string, string> {
  const { text = '' } = files.find(({ path }) => path === index) ?? {};
  const names = [...text.matchAll(exported)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.replace(/^\s*type\s/, '').trim()),
  );
  const sources = files.filter(({ path }) => /^packages\/(plugin-kit|outbound)\/src\//.test(path));
  const described = new Map(
    sources.flatMap((file) =>
      [...file.text.matchAll(declaration)].map(
        ([, comment = '', name = '']) => [name, sentenceOf(comment)] as const,
      ),
    ),
  );
  return new Map(names.filter((name) => name !== '').map((name) => [name, described.get(name) ?? '']));
}

const code = (name: string) => `\`${name}\``;

function tableOf(list: string, exports: ReadonlyMap<string, string>): string {
  const rows = list.split(/\s+/).map((word) => {
    const [name = '', ...types] = word.split('/');
    const others = types.length === 0 ? '' : ` Types: ${types.map(code).join(', ')}.`;
    return [code(name), `${exports.get(name) ?? ''}${others}`];
  });
  return markdownTable(['Export', 'Purpose'], rows);
}

/** The page with its tables updated. */
export const withExports = (page: string, exports: ReadonlyMap<string, string>): string =>
  page.replace(region, (_, list: string) =>
    [`<!-- exports ${list} -->`, tableOf(list, exports), '<!-- end -->'].join('\n'),
  );

/** Problems: exports that the page does not list, names that are none or, if there are neither, out-of-date tables. */
export function findStaleExports(page: string, exports: ReadonlyMap<string, string>): string[] {
  const listed = [...page.matchAll(region)].flatMap(([, list = '']) => list.split(/[\s/]+/));
  const missing = [...exports.keys()].filter((name) => !listed.includes(name));
  const unknown = listed.filter((name) => !exports.has(name));
  const problems = [
    ...missing.map((name) => `${kitPagePath}: does not list ${name}; write it where a reader needs it`),
    ...unknown.map((name) => `${kitPagePath}: lists ${name}, which the kit does not export`),
  ];
  if (problems.length > 0 || withExports(page, exports) === page) return problems;
  return [`${kitPagePath}: is out of date; run npm run docs:plugin-interface`];
}

/** See {@link findStaleExports}. */
export const findStaleKitPage = ({ root, packages }: Workspace): string[] =>
  findStaleExports(
    readFileSync(join(root, kitPagePath), 'utf8'),
    exportsOf(packages.flatMap(({ files }) => files)),
  );
