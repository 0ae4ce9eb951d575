import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { unpackBrowser } from '../harness/browser.ts';

const run = promisify(execFile);

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the tests use the checkout’s browser, even if another user has one in the machine’s temporary folder',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waiver-service-browser-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const theirs = join(folder, 'temporary');
    await mkdir(theirs);
    await writeFile(join(theirs, 'chromium'), 'another user’s, which we may not run', { mode: 0o000 });
    vi.stubEnv('TMPDIR', theirs);
    onTestFinished(() => void vi.unstubAllEnvs());

    const cache = join(folder, 'cache');
    const [one, other] = await Promise.all([unpackBrowser(cache), unpackBrowser(cache)]);
    expect(one.startsWith(cache)).toBe(true);
    expect(other).toBe(one);
    expect((await run(join(one, 'chromium'), ['--version'])).stdout).toMatch(/chrom/i);
    expect(await unpackBrowser(cache)).toBe(one);
  },
);
