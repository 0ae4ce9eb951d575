import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createScratchWorkspace, type ScratchWorkspace } from './scratch/scratch-workspace.ts';

// Compiles the whole host first: enough on a busy machine.
const patience = 400_000;

const stateSchema = z.object({
  displayName: z.string(),
  actions: z.array(z.string()),
  result: z.unknown(),
  calls: z.array(z.object({ request: z.string(), status: z.number(), answer: z.unknown() })),
});

let scratch: ScratchWorkspace;
beforeAll(async () => {
  scratch = createScratchWorkspace();
  const { status, output } = await scratch.run('tsc', '-b', 'apps/host', '--pretty', 'false');
  expect(status, output).toBe(0);
}, patience);
afterAll(() => scratch.remove());

/** Starts the program in the scratch workspace. */
function start(...given: string[]) {
  const program = join(scratch.root, 'tools/src/plugin-dev/main.ts');
  const child = spawn(process.execPath, ['--conditions=@waiver-service/source', program, ...given], {
    cwd: scratch.root,
    env: { ...process.env, NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
  }
  const closed = once(child, 'close');
  /** The addresses of the page so far: one for each start. */
  const pages = () => Array.from(output.matchAll(/each call +(\S+)/g), ([, url = '']) => url);
  return {
    closed,
    output: () => output,
    end: () => child.kill('SIGINT'),
    async page(starts: number): Promise<string> {
      await expect.poll(() => pages().length, { timeout: patience, message: output }).toBe(starts);
      return pages().at(-1) ?? '';
    },
  };
}

async function stateOf(page: string) {
  return stateSchema.parse(await (await fetch(`${page}/state`)).json());
}

test(
  'a plugin’s calls are shown, and a change of its source is there on save',
  async () => {
    const source = join(scratch.root, 'plugins/standard/src/index.ts');
    const text = readFileSync(source, 'utf8');
    const { page, closed, output, end } = start(
      'standard',
      '--port',
      '0',
      '--data-dir',
      join(scratch.root, '.data/dev'),
    );
    try {
      const first = await page(1);
      const read = await stateOf(first);
      expect(read).toMatchObject({
        displayName: 'Standard booking system',
        result: { booking: { id: 'BK-1001' } },
        calls: [{ request: expect.stringContaining('GET /bookings/BK-1001'), status: 200 }],
      });
      await fetch(`${first}/actions`, { method: 'POST', body: 'Sign a waiver' });
      await expect
        .poll(async () => (await stateOf(first)).calls.map(({ request }) => request))
        .toContainEqual(expect.stringMatching(/^POST \/bookings\/BK-1001\/guests\//));

      writeFileSync(source, text.replace('Standard booking system', 'Changed'));
      expect(await stateOf(await page(2))).toMatchObject({ displayName: 'Changed' });

      writeFileSync(source, text.replace("'path'", '7'));
      await expect.poll(output, { timeout: patience }).toContain('not assignable');
      writeFileSync(source, text);
      expect(await stateOf(await page(3))).toMatchObject({ displayName: 'Standard booking system' });
    } finally {
      end();
      expect(await closed).toEqual([0, null]);
    }
  },
  patience,
);

test('a name that is no plugin is said', async () => {
  const { closed, output } = start('nobody');
  expect(await closed).toEqual([2, null]);
  expect(output()).toMatch(/"nobody" is no plugin.*npm run plugin:dev/s);
});
