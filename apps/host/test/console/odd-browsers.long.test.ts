import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { openConsole } from '../harness/console-page.ts';
import { type ConsoleScene, startConsoleScene } from '../harness/console-scene.ts';

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await startConsoleScene();
});
afterEach(() => scene.expectNoComplaints());
afterAll(() => scene.close());

describe('a page that cannot be drawn', () => {
  const secret = 'Zoë of BK-1001';
  const breakDestinations = (page: Page) =>
    page.route(/destinations-page-.*\.js/, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `export const DestinationsPage = () => { throw new RangeError(${JSON.stringify(secret)}) };`,
      }),
    );

  test('is drawn when it is tried again, and a link leads back', async () => {
    const { page } = await openConsole(scene.browser, scene.host);
    await breakDestinations(page);
    await scene.go(page, '/destinations');
    await page.getByRole('link', { name: 'Back to the overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await scene.go(page, '/destinations');
    await page.getByText('This page could not be shown').waitFor();
    await page.unroute(/destinations-page-.*\.js/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Destinations' }).waitFor();
  });

  test('is explained too where its script is no longer there', async () => {
    const { page } = await openConsole(scene.browser, scene.host);
    await page.route(/destinations-page-.*\.js/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Destinations' }).click();
    await page.getByText('This page could not be shown').waitFor();
    await page.getByRole('link', { name: 'Deliveries' }).waitFor();
  });
});
