import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { publishForm } from '../harness/check-in.ts';
import { textAt } from '../harness/connected-host.ts';
import { expectAccessible, openPage, settled, signIn } from '../harness/console-page.ts';
import { bookingId, type ConsoleScene, markup, pool, startConsoleScene } from '../harness/console-scene.ts';
import { isLong } from '../harness/form.ts';

// A browser looks at many pages.
vi.setConfig({ testTimeout: 300_000 });

let scene: ConsoleScene;
let form: string;
beforeAll(async () => {
  scene = await startConsoleScene();
  ({ form } = await publishForm(scene.host, pool));
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
    await page.getByText('Your role does not include guests’ data.').waitFor();
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
  // The booking has been read by then.
  `/day?pool=${pool}&date=2027-06-12`,
  `/waivers?pool=${pool}`,
  `/forms?pool=${pool}`,
  `/forms/${pool}/{form}`,
  `/forms/${pool}/{form}/versions`,
  '/deliveries',
  '/destinations',
  '/pools',
  `/pools/${pool}`,
  `/pools/${pool}/messages`,
  '/booking-systems',
  '/booking-systems/bookeo',
  '/alerts',
  '/people',
  '/start',
  '/audit',
];

test('no page keeps out those who use a keyboard or a screen reader, nor is it wider than a phone', async () => {
  await scene.host.admin('PUT', '/v1/admin/pools/long', { name: 'A pool with a name longer than a phone' });
  const page = await scene.asAdmin({ viewport: { width: 360, height: 740 } });
  for (const path of pages) {
    await scene.go(page, path.replace('{form}', form));
    await page.getByRole('heading', { level: 1 }).waitFor();
    // The fields of a question, and their conditions.
    if (path.endsWith('{form}')) await page.getByRole('button', { name: /^Question.*Conditional/ }).click();
    await settled(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await expectAccessible(page);
    if (isLong) {
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(page, ['color-contrast']);
    }
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${path} is wider than the screen`).toBeLessThanOrEqual(0);
  }
});

test('deliveries name guests and bookings; a viewer sees the bookings only', async () => {
  const { body } = await scene.host.admin('POST', '/v1/admin/credentials', { name: 'Vi', role: 'viewer' });
  const page = await scene.asAdmin();
  const entered = await openPage(scene.browser);
  scene.opened.push(entered);
  await signIn(entered.page, scene.host.url, textAt(body, 'token'));
  await entered.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  for (const [shown, name] of [
    [page, markup],
    [entered.page, 'Name hidden'],
  ] as const) {
    await scene.go(shown, `/deliveries?pool=${pool}&state=dead`);
    const row = shown.getByRole('row').nth(1);
    await row.getByRole('link', { name: bookingId }).waitFor();
    expect(await row.textContent()).not.toContain(scene.waiverId.slice(-8));
    await row.getByRole('link', { name }).click();
    // The ids are one click away.
    await shown.getByText(scene.waiverId).first().waitFor();
    await scene.go(shown, `/waivers?pool=${pool}`);
    await shown.getByRole('row').nth(1).getByRole('link', { name }).waitFor();
  }
  expect(await entered.page.getByText('Zoë').count()).toBe(0);
});

test('the overview names the guests whose messages wait at a destination that is paused', async () => {
  const { body } = await scene.host.admin('GET', '/v1/admin/destinations');
  const webhook = body.items.find((one: { kind: string }) => one.kind === 'guest-webhook');
  const destination = `/v1/admin/destinations/${textAt(webhook, 'id')}`;
  await scene.host.admin('POST', `${destination}/pause`);
  await scene.host.admin('POST', `/v1/pools/${pool}/waivers`, { bookingId, answers: { name: 'Odile' } });
  const page = await scene.asAdmin();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByRole('listitem').filter({ hasText: bookingId }).getByText('Odile').first().waitFor();
  await attention.getByRole('link', { name: 'Odile' }).click();
  await page.getByText('Held', { exact: true }).first().waitFor();
  await scene.host.admin('POST', `${destination}/resume`);
});
