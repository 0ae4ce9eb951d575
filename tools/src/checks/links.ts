import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Workspace } from './workspace.ts';

const exclude = ['**/node_modules', '**/dist'];

const withoutCode = (markdown: string) => markdown.replace(/^( *)```[\s\S]*?^\1```$/gm, '');

/** The anchor of a heading, as Git forges derive it. */
export const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (path: string): string[] =>
  [...withoutCode(readFileSync(path, 'utf8')).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    anchorOf(heading),
  );

function problemOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(target)) return 'there is no such file';
  if (anchor === undefined || !statSync(target).isFile() || anchorsOf(target).includes(anchor))
    return undefined;
  return 'the page has no such heading';
}

// A Markdown link, or an HTML image.
const anyLink = /\]\(([^)\s]+)\)|\b(?:src|href)="([^"\s]+)"/g;

/**
 * Checks that every relative link or image in a Markdown page or in llms.txt leads to a file and, with an anchor, to
 * one of its headings.
 */
export function findBrokenLinks({ root }: Pick<Workspace, 'root'>): string[] {
  const pages = globSync(['**/*.md', '.github/**/*.md', 'llms.txt'], { cwd: root, exclude });
  return pages.toSorted().flatMap((name) => {
    const page = join(root, name);
    const links = [...withoutCode(readFileSync(page, 'utf8')).matchAll(anyLink)];
    return links
      .map(([, ofMarkdown, ofHtml]) => ofMarkdown ?? ofHtml ?? '')
      .filter((link) => !/^[a-z]+:/.test(link))
      .flatMap((link) => {
        const problem = problemOf(page, link);
        return problem === undefined ? [] : [`${relative(root, page)}: ${link}: ${problem}`];
      });
  });
}

/** Every threat in SECURITY.md links a test of the protection. The link check covers the test's existence. */
export function findUnshownThreats({ root }: Pick<Workspace, 'root'>): string[] {
  const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  return unshownThreats(page).map((threat) => `SECURITY.md: no test shows "${threat}"`);
}

/** The threats of a page whose last cell has no link to a test. */
export function unshownThreats(page: string): string[] {
  const section = page.split(/^## /m).find((each) => each.startsWith('Threats\n')) ?? '';
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  return rows
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .filter((cells) => !/\]\([^)]+\.test\.ts\)/.test(cells.at(-2) ?? ''))
    .map((cells) => cells[3] ?? '');
}
