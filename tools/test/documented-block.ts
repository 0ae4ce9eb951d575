import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The page's block that begins like this: for a test that runs it unchanged. */
export function documentedBlock(page: string, beginning: string): string {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.startsWith(beginning));
  if (found === undefined) throw new Error(`${page} has no block that begins with ${beginning}`);
  return found;
}
