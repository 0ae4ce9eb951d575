import { sealEnvelope } from '@waiver-service/forms/envelope';
import { textAt } from '@waiver-service/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { type CheckInHost, startCheckInHost } from '../harness/check-in.ts';
import { expectAccessible, openConsole } from '../harness/console-page.ts';

let checkIn: CheckInHost;
let browser: Browser;

beforeAll(async () => {
  [checkIn, browser] = await Promise.all([startCheckInHost(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await checkIn?.close();
});

test('a kiosk is added, says what waits there, and is revoked; what arrives of it is stored by a person', async () => {
  const { page, complaints } = await openConsole(browser, checkIn.host, {}, '/pools/rafting');
  await page.getByRole('button', { name: 'Add kiosk' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('River bank');
  await dialog.getByLabel('PIN').fill('2468');
  await dialog.getByRole('button', { name: 'Add kiosk' }).click();
  const code = (await dialog.getByText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Not paired yet').waitFor();
  const stranger = checkIn.host.as(null);
  const paired = await stranger('POST', '/check-in/api/kiosk/pair', { code });
  const token = textAt(paired.body, 'token');
  const { body: day } = await checkIn.host.as(token)('PUT', '/check-in/api/kiosk/day', {
    waiting: 1,
    waitingSince: new Date().toISOString(),
  });
  await page.getByText('1 waiting').waitFor();
  await expectAccessible(page);
  await page.goto(`${checkIn.host.url}/console/day?pool=rafting`);
  await page.getByText('1 signing waits at the kiosk River bank, since').waitFor();

  await page.goto(`${checkIn.host.url}/console/pools/rafting`);
  const kiosk = page.getByRole('listitem').filter({ hasText: 'River bank' });
  await kiosk.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('No kiosks').waitFor();
  const signing = checkIn.signing(['1990-02-28']);
  const envelope = await sealEnvelope(day.sealing, JSON.stringify({ token, signing }));
  await stranger('POST', `/check-in/api/sealed-signings/${day.sealing.id}`, { envelope });
  const late = page.getByRole('listitem').filter({ hasText: 'From a revoked kiosk' });
  await late.waitFor();
  await expectAccessible(page);
  await late.getByRole('button', { name: 'Store' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Store' }).click();
  await page.getByText('Stored as waivers.').waitFor();
  await late.waitFor({ state: 'detached' });
  const waiver = await checkIn.app('GET', `/v1/pools/rafting/waivers/${signing.id}-1`);
  expect(waiver.status).toBe(200);
  expect(complaints).toEqual([]);
});
