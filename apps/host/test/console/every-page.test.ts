import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../harness/connected-host.ts';
import { expectAccessible, openPage, settled, signIn } from '../harness/console-page.ts';
import { bookingId, type ConsoleScene, pool, startConsoleScene } from '../harness/console-scene.ts';

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await startConsoleScene();
});
afterEach(() => scene.expectNoComplaints());
afterAll(() => scene.close());

describe('roles', () => {
  test('a viewer sees neither guests nor forbidden actions, and is signed out when revoked', async () => {
    const { body } = await scene.host.admin('POST', '/v1/admin/credentials', { name: 'Vi', role: 'viewer' });
    const entered = await openPage(scene.browser);
    scene.opened.push(entered);
    const { page } = entered;
    await signIn(page, scene.host.url, textAt(body, 'token'));
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
    await scene.go(page, `/pools/${pool}`);
    await page.getByRole('region', { name: 'Webhooks' }).getByText(scene.receiver.url).waitFor();
    expect(await page.getByRole('button', { name: /^(Edit|Rotate)/ }).count()).toBe(0);
    await scene.go(page, `/waivers/${pool}/${scene.waiverId}`);
    await page.getByText('Your role does not show guests’ data.').waitFor();
    expect(await page.getByText('Zoë').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Void' }).count()).toBe(0);
    await scene.host.admin('DELETE', `/v1/admin/credentials/${textAt(body, 'id')}`);
    await page.getByLabel('Token').waitFor();
    expect(await page.getByText(scene.waiverId).count()).toBe(0);
  });

  test('an operator of another pool sees nothing of this one', async () => {
    await scene.host.makePool('other');
    const { body } = await scene.host.admin('POST', '/v1/admin/credentials', {
      name: 'Olga',
      role: 'operator',
      pools: ['other'],
    });
    const entered = await openPage(scene.browser);
    scene.opened.push(entered);
    const { page } = entered;
    await signIn(page, scene.host.url, textAt(body, 'token'));
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.getByRole('option').allTextContents()).not.toContain(pool);
    await scene.go(page, `/waivers/${pool}/${scene.waiverId}`);
    await page.getByText('This is of a pool that the token has no access to.').waitFor();
  });
});

const pages = [
  '/',
  `/bookings?pool=${pool}&id=${bookingId}`,
  `/waivers?pool=${pool}`,
  '/deliveries',
  '/destinations',
  '/pools',
  `/pools/${pool}`,
  '/booking-systems',
  '/booking-systems/bookeo',
  '/alerts',
  '/people',
  '/start',
  '/audit',
];

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test('no page keeps out those who use a keyboard or a screen reader, nor is it wider than a phone', async () => {
    await scene.host.admin('PUT', '/v1/admin/pools/long', { name: 'A pool with a name longer than a phone' });
    const page = await scene.asAdmin({ colorScheme, viewport: { width: 360, height: 740 } });
    for (const path of pages) {
      await scene.go(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      await expectAccessible(page);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${path} is wider than the screen`).toBeLessThanOrEqual(0);
    }
  });
});
