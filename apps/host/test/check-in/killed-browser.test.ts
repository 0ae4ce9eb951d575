import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { longTest } from '@waiver-service/testing';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserCommand } from '../harness/browser.ts';
import {
  type CheckInScene,
  draw,
  enterWho,
  goOn,
  goToSignature,
  heading,
  pads,
  startCheckInScene,
} from '../harness/check-in-page.ts';

/** A browser that has what an earlier one with its profile wrote down, as on a guest's phone. */
interface KillableBrowser {
  readonly context: BrowserContext;
  /** Ends all of its processes at once, wherever they are. */
  kill(): Promise<void>;
}

/** The profile of a browser: a folder that outlives it. */
interface BrowserProfile {
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
async function makeProfile(): Promise<BrowserProfile> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-profile-'));
  return {
    start: () => startWith(folder),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** A browser to kill while a guest's signing is written and sent. */
interface Kill {
  /** After the guest has confirmed. */
  readonly afterMs: number;
  /** `none`: nothing is sent; `lost`: the service stores it, and its answer does not arrive. */
  readonly network: 'good' | 'lost' | 'none';
}

/** The state before and after a browser was killed. */
interface Killed {
  /** Whether the guest had been thanked. */
  readonly wasThanked: boolean;
  /** How often the signing is stored once the page was opened again. */
  readonly stored: number;
}

const thanks = 'All signed. Thank you!';

async function cutOff(page: Page, network: Kill['network']): Promise<void> {
  if (network === 'none') await page.route('**/check-in/api/*signings**', (route) => route.abort());
  if (network !== 'lost') return;
  await page.route('**/check-in/api/*signings**', async (route) => {
    await route.fetch().catch(() => undefined);
    await route.abort().catch(() => undefined);
  });
}

/** Says when the guest is thanked, as close to that moment as a page can. */
async function watchThanks(page: Page): Promise<() => boolean> {
  let isThanked = false;
  page.on('console', (message) => {
    if (message.text() === 'thanked') isThanked = true;
  });
  await page.addInitScript((title) => {
    new MutationObserver(() => {
      if (document.querySelector('h1')?.textContent === title) console.info('thanked');
    }).observe(document, { subtree: true, childList: true, characterData: true });
  }, thanks);
  return () => isThanked;
}

/** Has a guest sign in a browser that is killed meanwhile, and opens the link once more in it, with a good network. */
async function killWhileSigning(
  { checkIn, link }: Pick<CheckInScene, 'checkIn' | 'link'>,
  { afterMs, network }: Kill,
): Promise<Killed> {
  const name = `Killed ${crypto.randomUUID()}`;
  const profile = await makeProfile();
  const url = await link({ desk: true });
  try {
    const first = await profile.start();
    const page = await first.context.newPage();
    const isThanked = await watchThanks(page);
    await page.goto(url);
    await heading(page).waitFor();
    await enterWho(page, name);
    await goToSignature(page);
    await draw(page, pads(page));
    await goOn(page, 'Is everything right?');
    await cutOff(page, network);
    // Not awaited: the page works on while the time runs.
    const clicked = page.getByRole('button', { name: 'Confirm and send' }).click();
    clicked.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    const wasThanked = isThanked();
    await first.kill();

    const second = await profile.start();
    const again = await second.context.newPage();
    await again.goto(url);
    await heading(again).waitFor();
    await expect.poll(() => waitingIn(again)).toBe(0);
    await second.kill();
    return { wasThanked, stored: await storedOf(checkIn, name) };
  } finally {
    await profile.remove();
  }
}

const waitingIn = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('check-in');
        // The page has not made it yet.
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onerror = () => resolve(1);
        opening.onsuccess = () => {
          const counting = opening.result.transaction('outbox').objectStore('outbox').count();
          counting.onsuccess = () => {
            opening.result.close();
            resolve(counting.result);
          };
        };
      }),
  );

async function storedOf({ app }: CheckInScene['checkIn'], name: string): Promise<number> {
  let count = 0;
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await app('GET', `/v1/pools/rafting/waivers?limit=100${query}`);
    const items: { answers: { name?: string }; currentPage: string | null }[] = body.items;
    count += items.filter((one) => one.answers.name === name && one.currentPage === null).length;
    cursor = body.next;
  } while (cursor !== null);
  return count;
}

let scene: CheckInScene;

beforeAll(async () => {
  scene = await startCheckInScene();
});
afterAll(() => scene?.close());

test('a browser killed just after confirming: what was thanked for is stored once', async () => {
  const { wasThanked, stored } = await killWhileSigning(scene, { afterMs: 60, network: 'good' });
  expect(stored).toBeLessThanOrEqual(1);
  if (wasThanked) expect(stored).toBe(1);
});

// From before the signing is sealed until after it was sent, with each network.
const moments = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 120, 140, 170, 200, 250, 300, 400, 600, 1_000];
const networks = ['good', 'lost', 'none'] as const;

longTest.each(networks)('twenty browsers killed while they write and send, network %s', async (network) => {
  const kills = moments.map((afterMs): Kill => ({ afterMs, network }));
  const counts = { thanked: 0, stored: 0 };
  for (const kill of kills) {
    const { wasThanked, stored } = await killWhileSigning(scene, kill);
    expect([kill, stored <= 1]).toEqual([kill, true]);
    if (wasThanked) expect([kill, stored]).toEqual([kill, 1]);
    counts.thanked += Number(wasThanked);
    counts.stored += stored;
  }
  console.info(`network ${network}: ${kills.length} killed, ${JSON.stringify(counts)}`);
  expect(counts.thanked).toBeGreaterThan(0);
});
