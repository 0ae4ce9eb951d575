import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from './workspace.ts';

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
