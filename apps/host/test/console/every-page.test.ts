import { isLong, publishForm, textAt } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectAccessible, openTestPage, settled, signIn } from '../harness/console-page.ts';
import { bookingId, type ConsoleScene, pool, startConsoleScene } from '../harness/console-scene.ts';

// A browser looks at many pages.
vi.setConfig({ testTimeout: 300_000 });

let scene: ConsoleScene;
let form: string;
beforeAll(async () => {
  scene = await startConsoleScene();
  ({ form } = await publishForm(scene.host, pool));
});
afterAll(() => scene.close());

describe('roles', () => {
  test('a viewer sees neither guests nor forbidden actions, and is signed out when revoked', async () => {
    const { body } = await scene.host.admin('POST', '/v1/admin/credentials', { name: 'Vi', role: 'viewer' });
    const { page } = await openTestPage(scene.browser);
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
    await scene.go(page, `/forms/${pool}/${form}`);
    await page.getByRole('button', { name: 'First and last name', expanded: false }).first().click();
    expect(await page.getByRole('textbox', { name: 'Question · English' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^(Publish|Archive|Add|Move|Remove)/ }).count()).toBe(0);

    await scene.host.admin('GET', `/v1/pools/${pool}/bookings/${bookingId}`);
    await scene.go(page, `/day?pool=${pool}&date=2027-06-12`);
    await page.getByText('Signed 1 of 3').first().waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByText(/Zoë|李|Siobhán/).count()).toBe(0);

    await scene.host.admin('DELETE', `/v1/admin/credentials/${textAt(body, 'id')}`);
    await page.getByLabel('Token').waitFor();
    expect(await page.getByRole('heading', { name: 'Day board' }).count()).toBe(0);
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
const lists = ['/deliveries', '/destinations', `/waivers?pool=${pool}`, '/audit', '/pools', '/people'];

test('no page keeps out those who use a keyboard or a screen reader, nor is it wider than a phone', async () => {
  await scene.host.admin('PUT', '/v1/admin/pools/long', { name: 'A pool with a name longer than a phone' });
  const page = await scene.asAdmin({ viewport: { width: 360, height: 740 } });
  for (const path of pages) {
    await scene.go(page, path.replace('{form}', form));
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (lists.includes(path)) await page.getByRole('row').nth(1).waitFor();
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
    // Each row of a list is a card: all that it shows is in view.
    const hidden = await page.locator('table tbody td:not(:empty)').evaluateAll((cells) =>
      cells.flatMap((cell) => {
        const { left, right } = cell.getBoundingClientRect();
        const isCut = cell.scrollWidth > cell.clientWidth;
        return left >= 0 && right <= innerWidth && !isCut ? [] : [cell.textContent];
      }),
    );
    if (lists.includes(path)) expect([path, hidden]).toEqual([path, []]);
  }
});
