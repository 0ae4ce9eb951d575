import { createTestDatabase, type TestDatabase } from '@waiver-service/store/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { documentedOperations } from '../harness/operations.ts';
import { type Program, startProgram } from '../harness/program.ts';
import { until } from '../harness/test-host.ts';

let database: TestDatabase;
let program: Program;
let browser: Browser;
beforeAll(async () => {
  database = await createTestDatabase();
  [program, browser] = await Promise.all([startProgram({ DATABASE_URL: database.url }), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await program.stop();
  await database.drop();
});

test('/docs shows every operation, and the page calls only this host', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  const complaints: string[] = [];
  const requested: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
  page.on('request', (request) => requested.push(request.url()));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()} answered ${response.status()}`);
  });

  await page.goto(`${program.url}/docs`);
  const operations = await documentedOperations(program.url);
  const listed = page.locator('.opblock');
  await until(async () => (await listed.count()) >= operations.length, 'every operation to be listed');
  const shown = await page.locator('.opblock-summary').allInnerTexts();
  const written = shown.map((text) => text.replaceAll(/[\s\u200b]+/g, ' '));
  for (const { method, path } of operations) {
    expect(written.filter((text) => text.startsWith(`${method} ${path} `))).toHaveLength(1);
  }
  expect(await page.title()).toBe('Waiver service: HTTP API');
  expect(await page.getByText('Explore').isVisible()).toBe(false);
  const logo = await page.locator('.topbar img').getAttribute('src');
  expect(Buffer.from(logo?.split(',')[1] ?? '', 'base64').toString()).toContain('>Waiver service<');
  const headings = await page.locator('.opblock-tag').allInnerTexts();
  for (const heading of ['Bookings', 'Waivers', 'Operators'])
    expect(headings.filter((text) => text.startsWith(heading))).toHaveLength(1);
  for (const section of await page.locator('.opblock-tag-section').all())
    expect(await section.locator('.opblock').count()).toBeGreaterThan(0);
  const first = page.locator('.opblock', { hasText: '/integration/install/' }).first();
  await first.locator('.opblock-summary-control').click();
  await first.locator('.opblock-body').waitFor();
  expect(await first.textContent()).toContain('accountId');

  expect(complaints).toEqual([]);
  expect(requested.length).toBeGreaterThan(3);
  const foreign = requested.filter((url) => !url.startsWith(`${program.url}/`) && !url.startsWith('data:'));
  expect(foreign).toEqual([]);
});
