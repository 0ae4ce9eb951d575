import { isLong } from '@waiver-service/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CheckInScene,
  fillDisk,
  fillIn,
  heading,
  onScreen,
  phone,
  send,
  signedNames,
  startCheckInScene,
} from '../harness/check-in-page.ts';
import { keepIntercepting, openTestPage } from '../harness/console-page.ts';

let scene: CheckInScene;
const desk = { desk: true };

beforeAll(async () => {
  scene = await startCheckInScene();
});
afterAll(() => scene?.close());

const nameIn = (page: Page) => page.getByLabel('First and last name').inputValue();

async function another(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(page.url().replace(/#.*/, ''));
  await heading(tab).waitFor();
  return tab;
}

/** As the browser duplicates a tab: with a copy of its session storage. */
async function duplicate(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.evaluate(() => void window.open(location.href));
  const tab = await opened;
  await heading(tab).waitFor();
  return tab;
}

const ways: readonly (readonly [string, () => void])[] = [
  ['with the browser’s locks', () => undefined],
  [
    'with a lease, where there are no locks',
    () => Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined }),
  ],
  [
    'with a lease, where the browser refuses locks',
    () => {
      LockManager.prototype.request = () => Promise.reject(new DOMException('refused', 'SecurityError'));
    },
  ],
];

describe.each(isLong ? ways : ways.slice(0, 1))('two tabs of one link, %s', (kind, prepare) => {
  const place = kind.includes('lease') ? { bookingId: 'BK-1002' } : { bookingId: 'BK-1001' };
  const open = async (link: object) => {
    const { page } = await openTestPage(scene.browser, { viewport: phone });
    await page.context().addInitScript(prepare);
    await page.goto(await scene.link(link));
    await heading(page).waitFor();
    return page;
  };

  test('a tab continues what a closed one has left, and nothing that another one is using', async () => {
    const page = await open(place);
    await page.getByLabel('First and last name').fill('Left Open');
    const second = await another(page);
    expect(await nameIn(second)).toBe('');
    await second.getByLabel('First and last name').fill('Left Closed');
    await second.reload();
    await expect.poll(() => nameIn(second)).toBe('Left Closed');
    await second.close({ runBeforeUnload: true });
    await expect.poll(() => page.context().pages().length).toBe(1);
    const third = await another(page);
    await expect.poll(() => nameIn(third)).toBe('Left Closed');
    await page.reload();
    await expect.poll(() => nameIn(page)).toBe('Left Open');
  });

  test('a duplicated tab is another guest’s, on a booking’s link and at the desk', async () => {
    for (const link of [place, desk]) {
      const page = await open(link);
      await page.getByLabel('First and last name').fill('The Original');
      // Past the delay with which the draft is stored.
      await expect
        .poll(() => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])))
        .toContain('The Original');
      const tab = await duplicate(page);
      expect(await nameIn(tab)).toBe('');
      expect(await tab.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('The Original');
      await tab.getByLabel('First and last name').fill('The Copy');
      await page.reload();
      await expect.poll(() => nameIn(page)).toBe('The Original');
      await tab.reload();
      await expect.poll(() => nameIn(tab)).toBe('The Copy');
      await page.context().close();
    }
  });
});

test('several presses at once send one signing', async () => {
  const { page } = await scene.open(desk);
  await fillIn(page, 'Ana Pressed');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/signings')) sent.push(request.postData() ?? '');
  });
  await page.evaluate(() => {
    const form = document.querySelector('form');
    for (let press = 0; press < 3; press += 1) form?.requestSubmit();
  });
  await onScreen(page, 'All signed. Thank you!');
  expect(sent).toHaveLength(1);
});

describe('a signing that the service already has', () => {
  /** Confirms; the response is lost, and nothing is kept on the device. */
  const sendAndLose = async (page: Page, name: string) => {
    await keepIntercepting(page);
    await page.route('**/check-in/api/signings', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await fillIn(page, name);
    await page.getByRole('button', { name: 'Confirm and send' }).click();
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    await page.unroute('**/check-in/api/signings');
  };
  const open = async () => {
    const { page } = await openTestPage(scene.browser, { viewport: phone });
    await page.addInitScript(fillDisk);
    await page.goto(await scene.link(desk));
    await heading(page).waitFor();
    return page;
  };

  test('is thanked for after a reload if it is the same', async () => {
    const page = await open();
    await sendAndLose(page, 'Ana Reloaded');
    await page.reload();
    await send(page);
    expect((await signedNames(scene)).filter((name) => name === 'Ana Reloaded')).toHaveLength(1);
  });

  test('with other content is not thanked for; the guest loses nothing, and signs', async () => {
    const page = await open();
    await sendAndLose(page, 'Ana Former');
    // As a page of a former version, or another tab, may have left it.
    await page.evaluate(() =>
      // After the page itself has saved what it did last.
      addEventListener('pagehide', () => {
        for (const [key, value] of Object.entries(sessionStorage)) {
          if (!value.includes('Ana Former')) continue;
          const { signedAt: _, ...draft } = JSON.parse(value).draft;
          const other = JSON.stringify({ ...JSON.parse(value), draft });
          sessionStorage.setItem(key, other.replaceAll('Ana Former', 'Ana Other'));
        }
      }),
    );
    await page.reload();
    await onScreen(page, 'Is everything right?');
    await page.getByRole('button', { name: 'Confirm and send' }).click();
    await page.getByRole('heading', { name: 'This is not sent yet' }).waitFor();
    expect(await signedNames(scene)).not.toContain('Ana Other');
    await send(page);
    expect(await signedNames(scene)).toEqual(expect.arrayContaining(['Ana Former', 'Ana Other']));
  });
});
