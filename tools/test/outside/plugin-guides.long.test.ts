import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OutsidePlace, openOutsidePlace, repository } from '../../src/outside/outside-place.ts';

// Enough on a busy machine.
const patience = 180_000;

let place: OutsidePlace;
beforeAll(async () => {
  place = await openOutsidePlace();
}, patience);
afterAll(() => place.close());

/** A code block of a guide: commands, or a whole file. */
interface Step {
  readonly language: string;
  /** For a file: its path, relative to the plugin's folder. */
  readonly path: string | undefined;
  readonly code: string;
}

const stepsOf = (guide: string): Step[] =>
  Array.from(
    readFileSync(join(repository, 'docs/plugins', `${guide}.md`), 'utf8').matchAll(
      /^```(\w+)(?: (\S+))?\n(.*?)^```$/gms,
    ),
    ([, language = '', path, code = '']) => ({ language, path, code }),
  );

/** Runs a guide's commands and writes its files, in order. Returns the commands' output. */
async function walk(guide: string): Promise<string> {
  let folder = place.folder(guide);
  let said = '';
  for (const { language, path, code } of stepsOf(guide)) {
    if (path !== undefined) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), code);
    } else if (language === 'sh') {
      const { status, stdout, output } = await place.run(folder, ['bash', '-euc', `${code}\npwd`]);
      expect(status, output).toBe(0);
      folder = stdout.trim().split('\n').at(-1) ?? folder;
      said += output;
    }
  }
  return said;
}

test.each([
  ['signed-requests', 'harbor'],
  ['oauth2', 'summit'],
])(
  'docs/plugins/%s.md leads to a plugin that passes its tests',
  async (guide, installName) => {
    const said = await walk(guide);
    // Once as created, and once at the end.
    expect(said.match(/Tests {2}\d+ passed/g)).toHaveLength(2);
    expect(said).toContain(`waiver-service-plugin-${installName}-0.1.0.tgz`);
  },
  patience,
);
