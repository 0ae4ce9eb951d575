import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BrowserContext, chromium } from 'playwright-core';
import { browserCommand } from './browser.ts';

/** A browser that has what an earlier one with its profile wrote down, as on a guest's phone. */
export interface KillableBrowser {
  readonly context: BrowserContext;
  /** Ends all of its processes at once, wherever they are. */
  kill(): Promise<void>;
}

/** The profile of a browser: a folder that outlives it. */
export interface BrowserProfile {
  start(): Promise<KillableBrowser>;
  remove(): Promise<void>;
}

/** The address at which a browser is driven; it says so when it is ready. */
async function addressOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('the browser has no standard error');
  for await (const line of createInterface({ input: stderr })) {
    const [, address] = /^DevTools listening on (ws:\S+)$/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('the browser ended before it was ready');
}

async function startWith(profile: string): Promise<KillableBrowser> {
  const { executablePath, args } = await browserCommand();
  const child = spawn(
    executablePath,
    [...args, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    // A separate process group, so that its children are killed with it.
    { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const browser = await chromium.connectOverCDP(await addressOf(child));
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('the browser has no profile');
  return {
    context,
    async kill() {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
      await browser.close().catch(() => undefined);
    },
  };
}

/** Makes an empty profile. */
export async function makeProfile(): Promise<BrowserProfile> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-profile-'));
  return {
    start: () => startWith(folder),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
