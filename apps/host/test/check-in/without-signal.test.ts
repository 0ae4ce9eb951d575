import { longTest } from '@waiver-service/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CheckInScene,
  fillDisk,
  fillIn,
  onScreen,
  phone,
  send,
  signedNames,
  startCheckInScene,
} from '../harness/check-in-page.ts';
import { expectAccessible, keepIntercepting, openTestPage } from '../harness/console-page.ts';
import { startLoadBalancer } from '../harness/load-balancer.ts';

let scene: CheckInScene;
const desk = { desk: true };

beforeAll(async () => {
  scene = await startCheckInScene();
});
afterAll(() => scene?.close());

/** Waits until the page's files and the session are on the device. */
async function isReadyWithoutSignal(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => rows(page, 'sessions')).toHaveLength(1);
}

/** The rows of one of the page's stores. */
const rows = (page: Page, store: string): Promise<unknown[]> =>
  page.evaluate(
    (name) =>
      new Promise((resolve) => {
        const opening = indexedDB.open('check-in');
        // The page has not made it yet.
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onerror = () => resolve([]);
        opening.onsuccess = () => {
          const reading = opening.result.transaction(name).objectStore(name).getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result);
          };
        };
      }),
    store,
  );

const waits = (page: Page) => page.getByText('1 signing waits on this device');

/** Signs in a tab that is closed before there is signal again. @returns the browser, where the signing waits */
async function signAndClose(page: Page, name: string): Promise<BrowserContext> {
  const context = page.context();
  await isReadyWithoutSignal(page);
  await fillIn(page, name);
  await context.setOffline(true);
  await send(page);
  await waits(page).waitFor();
  await page.close();
  return context;
}

describe('without signal', () => {
  test('a link that was opened once opens again, is signed, and sent when there is signal', async () => {
    const { page } = await scene.open(desk);
    await isReadyWithoutSignal(page);
    await page.context().setOffline(true);
    await page.reload();
    await onScreen(page, 'Who are you?');
    await fillIn(page, 'Ana Offline');
    await send(page);
    await page.getByText('Your signature is safe on this device').waitFor();
    await waits(page).waitFor();
    await expectAccessible(page);
    // One row, which says nothing of the guest: all but a few plain values is sealed. The sealed text is random, and so
    // may hold any three letters.
    const [row, ...others] = await rows(page, 'outbox');
    expect(others).toEqual([]);
    const plain = JSON.stringify(row, (name, value) => (name === 'envelope' ? undefined : value));
    expect(plain).not.toMatch(/Ana|example|\b1988\b|wsg_/);
    expect(JSON.stringify(row)).not.toMatch(/Ana Offline|example\.com|1988-03-07/);
    // Also on a later visit.
    await page.reload();
    await onScreen(page, 'All signed. Thank you!');
    await waits(page).waitFor();
    expect(await signedNames(scene)).not.toContain('Ana Offline');
    await page.context().setOffline(false);
    await page.getByText('What waited on this device was sent.').waitFor();
    const copy = await page.getByRole('link', { name: 'Open your copy' }).getAttribute('href');
    expect((await fetch(copy ?? '')).status).toBe(200);
    expect(await signedNames(scene)).toContain('Ana Offline');
    expect(await rows(page, 'outbox')).toEqual([]);
  });

  test('a database whose connection breaks is opened again: the guest signs, and it is sent without a reload', async () => {
    const { page } = await openTestPage(scene.browser, { viewport: phone });
    await page.addInitScript(() => {
      const broken = new WeakSet<IDBDatabase>();
      const { put, get, getAll } = IDBObjectStore.prototype;
      const refuse = (store: IDBObjectStore, request: string) => {
        // Each connection that was open when the guest began: its transactions begin, its requests fail.
        const { db } = store.transaction;
        if (['now', request].includes(document.documentElement.dataset.break ?? '')) broken.add(db);
        if (!broken.has(db)) return;
        delete document.documentElement.dataset.break;
        throw new DOMException('Connection to Indexed Database server lost.', 'UnknownError');
      };
      IDBObjectStore.prototype.put = function (...given) {
        refuse(this, 'put');
        return put.apply(this, given);
      };
      IDBObjectStore.prototype.get = function (...given) {
        refuse(this, 'get');
        return get.apply(this, given);
      };
      IDBObjectStore.prototype.getAll = function (...given) {
        refuse(this, 'getAll');
        return getAll.apply(this, given);
      };
    });
    await page.goto(await scene.link(desk));
    await isReadyWithoutSignal(page);
    await fillIn(page, 'Ana Broken');
    await page.evaluate(() => {
      document.documentElement.dataset.break = 'now';
    });
    await page.context().setOffline(true);
    await send(page);
    await waits(page).waitFor();
    // While the failed attempt is counted: between its request to read and the one to write.
    await page.evaluate(() => {
      document.documentElement.dataset.break = 'put';
      dispatchEvent(new Event('online'));
    });
    await page.locator('html:not([data-break])').waitFor();
    await page.evaluate(() => {
      document.documentElement.dataset.break = 'now';
    });
    await page.context().setOffline(false);
    await page.getByText('What waited on this device was sent.').waitFor();
    expect(await signedNames(scene)).toContain('Ana Broken');
  });

  longTest('a network that answers nothing is as good as none, whatever the browser says', async () => {
    const { page } = await scene.open(desk);
    await fillIn(page, 'Ana Silent');
    await keepIntercepting(page);
    await page.route('**/check-in/api/**', () => undefined);
    await send(page);
    await waits(page).waitFor();
    await page.unroute('**/check-in/api/**');
    await page.reload();
    await page.getByText('What waited on this device was sent.').waitFor();
    expect(await signedNames(scene)).toContain('Ana Silent');
  });

  longTest('a load balancer with no host behind it is as good as no signal', async () => {
    const balancer = await startLoadBalancer();
    const { url } = scene.checkIn.host;
    balancer.add(url);
    await expect.poll(() => balancer.sendsTo(url)).toBe(true);
    const { page } = await openTestPage(scene.browser);
    await page.goto((await scene.link(desk)).replace(url, balancer.url));
    await onScreen(page, 'Who are you?');
    await isReadyWithoutSignal(page);
    balancer.remove(url);
    await page.reload();
    await onScreen(page, 'Who are you?');
    await fillIn(page, 'Ana Balanced');
    await send(page);
    await waits(page).waitFor();
    balancer.add(url);
    await page.reload();
    await page.getByText('What waited on this device was sent.').waitFor();
    expect(await signedNames(scene)).toContain('Ana Balanced');
    await page.context().close();
    await balancer.close();
  });

  longTest('a signing is sent some seconds after the browser’s database failed', async () => {
    const { page } = await scene.open(desk);
    await isReadyWithoutSignal(page);
    await fillIn(page, 'Ana Closed');
    await page.context().setOffline(true);
    await send(page);
    await waits(page).waitFor();
    await page.evaluate(() => {
      const { getAll } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.getAll = () => {
        IDBObjectStore.prototype.getAll = getAll;
        throw new DOMException('The connection was lost.', 'UnknownError');
      };
    });
    await page.context().setOffline(false);
    await page.getByText('What waited on this device was sent.').waitFor();
    expect(await signedNames(scene)).toContain('Ana Closed');
  });

  test('a signing whose answers are lost is stored once', async () => {
    const { page } = await scene.open(desk);
    await fillIn(page, 'Ana Lost');
    const statuses: number[] = [];
    await keepIntercepting(page);
    await page.route('**/check-in/api/*signings**', async (route) => {
      statuses.push((await route.fetch()).status());
      await route.abort();
    });
    await send(page);
    await expect.poll(() => statuses).toEqual([201, 200]);
    await page.unroute('**/check-in/api/*signings**');
    await page.reload();
    await page.getByText('What waited on this device was sent.').waitFor();
    expect((await signedNames(scene)).filter((name) => name === 'Ana Lost').length).toBe(1);
  });

  test('who is refused while they wait goes on, and nothing stays on the device', async () => {
    const { page } = await scene.open(desk);
    await fillIn(page);
    const refusal = { success: false, code: 'already_signed', message: 'Signed.' };
    await page.route('**/check-in/api/signings', (route) => route.fulfill({ status: 409, json: refusal }));
    await page.getByRole('button', { name: 'Confirm and send' }).click();
    await page.getByRole('heading', { name: 'Already signed' }).waitFor();
    expect(await rows(page, 'outbox')).toEqual([]);
    await page.getByRole('button', { name: 'Change' }).first().waitFor();
  });

  longTest('what was counted while its guest waited is not counted once it was refused', async () => {
    const { page } = await scene.open(desk);
    await fillIn(page);
    const counted = Promise.withResolvers<void>();
    const refusal = { success: false, code: 'already_signed', message: 'Signed.' };
    await page.route('**/check-in/api/signings', async (route) => {
      await counted.promise;
      await route.fulfill({ status: 409, json: refusal });
    });
    await page.getByRole('button', { name: 'Confirm and send' }).click();
    await expect.poll(() => rows(page, 'outbox')).toHaveLength(1);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await waits(page).waitFor();
    counted.resolve();
    await page.getByRole('heading', { name: 'Already signed' }).waitFor();
    await waits(page).waitFor({ state: 'hidden' });
  });

  longTest('what waits is sent even if its link was withdrawn since: the team decides', async () => {
    const links = '/v1/pools/rafting/check-in-links';
    const { body } = await scene.checkIn.app('POST', links, { bookingId: 'BK-1001' });
    const url = String(body.url);
    const { page } = await openTestPage(scene.browser);
    await page.goto(url);
    await onScreen(page, 'Who are you?');
    const context = await signAndClose(page, 'Ana Withdrawn');
    await scene.checkIn.app('DELETE', `${links}/${body.id}`);
    await context.setOffline(false);
    const later = await context.newPage();
    await later.goto(url);
    await onScreen(later, 'This link is no longer valid');
    await later.getByText('What waited on this device was sent.').waitFor();
    expect(await rows(later, 'outbox')).toEqual([]);
    const late = await scene.checkIn.host.admin('GET', '/v1/admin/pools/rafting/late-signings');
    expect(late.body.items).toMatchObject([{ reason: 'link_revoked', names: ['Ana Withdrawn'] }]);
  });

  longTest('what waits is sent even if the disk is full since', async () => {
    const { page } = await scene.open(desk);
    const url = page.url();
    const context = await signAndClose(page, 'Ana Full');
    await context.addInitScript(fillDisk);
    await context.setOffline(false);
    const later = await context.newPage();
    await later.goto(url);
    await later.getByText('This browser cannot keep your signature').waitFor();
    await later.getByText('What waited on this device was sent.').waitFor();
    expect(await signedNames(scene)).toContain('Ana Full');
  });

  test('a link that was withdrawn leaves nothing but what waits', async () => {
    const { body } = await scene.checkIn.app('POST', '/v1/pools/rafting/check-in-links', desk);
    const { page } = await openTestPage(scene.browser);
    await page.goto(String(body.url));
    await onScreen(page, 'Who are you?');
    await expect.poll(() => rows(page, 'sessions')).toHaveLength(1);
    await scene.checkIn.app('DELETE', `/v1/pools/rafting/check-in-links/${body.id}`);
    await page.reload();
    await onScreen(page, 'This link is no longer valid');
    await expect.poll(() => rows(page, 'sessions')).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('wsg_');
  });
});

describe('who cannot keep a signature is told before they begin', () => {
  longTest.each([
    ['over plain HTTP', () => Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })],
    ['on a full disk', fillDisk],
  ])('%s', async (_what, restrict) => {
    const context = await scene.browser.newContext();
    await context.addInitScript(restrict);
    const page = await context.newPage();
    await page.goto(await scene.link(desk));
    await page.getByText('This browser cannot keep your signature').waitFor();
    await fillIn(page);
    await keepIntercepting(page);
    await page.route('**/check-in/api/signings', (route) => route.abort());
    await page.getByRole('button', { name: 'Confirm and send' }).click();
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    // Whatever arrived, only the same may be sent again.
    expect(await page.getByRole('button', { name: 'Change' }).count()).toBe(0);
    await page.unroute('**/check-in/api/signings');
    await page.getByRole('button', { name: 'Send again' }).click();
    await onScreen(page, 'All signed. Thank you!');
    await context.close();
  });
});
