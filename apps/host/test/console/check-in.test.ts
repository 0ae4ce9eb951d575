import { readFile } from 'node:fs/promises';
import { verifyEvidence } from '@waiver-service/evidence';
import { sealEnvelope } from '@waiver-service/forms/envelope';
import { longTest, textAt } from '@waiver-service/testing';
import jsQR from 'jsqr';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CheckInScene, startCheckInScene } from '../harness/check-in-page.ts';
import { expectAccessible, openConsole, settled } from '../harness/console-page.ts';

const pool = 'rafting';
const signings = '/check-in/api/signings';
const darkPhone = { colorScheme: 'dark', viewport: { width: 360, height: 740 } } as const;
let scene: CheckInScene;

beforeAll(async () => {
  scene = await startCheckInScene();
});
afterAll(() => scene?.close());

const asAdmin = async (options: BrowserContextOptions = {}) =>
  (await openConsole(scene.browser, scene.checkIn.host, options)).page;

const go = (page: Page, path: string) => page.goto(`${scene.checkIn.host.url}/console${path}`);

/** Reads the QR code on a page, as it is on the screen: dark on light, or a camera reads nothing. */
async function scan(page: Page): Promise<string | undefined> {
  const picture = await page.getByRole('img', { name: 'QR code of the link' }).screenshot();
  const blank = await scene.browser.newPage();
  const { data, width, height } = await blank.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height);
    return { data: [...pixels.data], width: pixels.width, height: pixels.height };
  }, picture.toString('base64'));
  await blank.close();
  const read = jsQR.default(new Uint8ClampedArray(data), width, height, {
    inversionAttempts: 'dontInvert',
  });
  return read?.data;
}

/** The link's page, as the guest's browser reads it. */
const session = async (url: string) =>
  (await scene.checkIn.host.as(url.split('/').at(-1) ?? '')('GET', '/check-in/api/session')).body;

async function shownLink(page: Page): Promise<string> {
  const shown = page.locator('code').filter({ hasText: '/check-in/' });
  await shown.waitFor();
  return (await shown.textContent()) ?? '';
}

longTest('a booking’s link is shown with a QR code that a camera reads, also in dark', async () => {
  const page = await asAdmin(darkPhone);
  await go(page, `/bookings?pool=${pool}&id=BK-1001`);
  await page.getByRole('button', { name: 'Show link and QR code' }).click();
  const url = await shownLink(page);
  expect(await scan(page)).toBe(url);
  await expectAccessible(page);
  expect(await session(url)).toMatchObject({
    link: { kind: 'booking' },
    booking: { reference: 'BK-1001' },
  });
});

longTest('the desk’s link is printed: its code, and nothing else of the page', async () => {
  const page = await asAdmin();
  await go(page, `/pools/${pool}`);
  await page.getByRole('region', { name: 'Desk' }).getByRole('button', { name: 'Make link' }).click();
  const url = await shownLink(page);
  expect(await session(url)).toMatchObject({ link: { kind: 'desk' }, booking: null });
  await page.evaluate(() => Object.assign(window, { print: () => (document.title = 'printed') }));
  await page.getByRole('button', { name: 'Print' }).click();
  await expect.poll(() => page.title()).toBe('printed');
  await page.emulateMedia({ media: 'print' });
  const [printed = ''] = await page.locator('body').allInnerTexts();
  expect(printed.split('\n').filter((line) => line !== '')).toEqual([
    pool,
    'Scan the code with your phone’s camera to sign.',
    url,
  ]);
  await page.emulateMedia({ media: null });
  await page.getByRole('button', { name: 'Done' }).click();
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('heading', { level: 1, name: pool }).waitFor();
});

test('a signing shows its acts, what its record proves, its document and its evidence', async () => {
  const { checkIn } = scene;
  const guest = await checkIn.guest({ desk: true });
  const signing = checkIn.signing(['1990-02-28', '2014-05-06']);
  await guest('POST', signings, signing);
  const path = `/waivers/${pool}/${signing.id}-1`;
  const page = await asAdmin();
  await go(page, path);
  const acts = page.getByRole('region', { name: 'Signing' });
  const drawn = acts.getByRole('listitem').filter({ hasText: 'Signed, drawn' });
  await drawn.first().getByText('by Zoë Bäcker').waitFor();
  await acts.getByRole('listitem').filter({ hasText: 'Initialed' }).getByText('What can happen').waitFor();
  await acts.getByText('The desk’s link').waitFor();
  await page.getByText('by the guest, on the check-in page').waitFor();
  const evidence = page.getByRole('region', { name: 'Evidence' });
  await evidence.getByText('Unchanged').waitFor();
  await evidence
    .getByRole('listitem')
    .filter({ hasText: 'Not proven' })
    .getByText('Who held the device')
    .waitFor();

  const [shown] = await Promise.all([
    page.waitForEvent('popup'),
    acts.getByRole('button', { name: 'Open document' }).click(),
  ]);
  await shown.getByRole('heading', { level: 1, name: 'Waiver' }).waitFor();
  // Its own style is allowed.
  expect(await shown.evaluate(() => getComputedStyle(document.body).maxWidth)).toBe('736px');
  await shown.close();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    acts.getByRole('button', { name: 'PDF' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe(`signing-${signing.id}.pdf`);
  expect((await readFile(await saved.path())).subarray(0, 5).toString()).toBe('%PDF-');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    evidence.getByRole('button', { name: 'Evidence file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`evidence-${signing.id}.json`);
  const findings = verifyEvidence(await readFile(await download.path(), 'utf8'));
  expect(findings.map(({ status }) => status)).not.toContain('changed');

  // Another one: ending a copy is for good.
  const second = checkIn.signing(['1990-02-28']);
  const copy = textAt((await guest('POST', signings, second)).body, 'copy', 'url');
  await go(page, `/waivers/${pool}/${second.id}-1`);
  await acts.getByText('Not opened yet').waitFor();
  expect((await fetch(copy)).status).toBe(200);
  await page.reload();
  await acts.getByText('Opened once').waitFor();
  await acts.getByRole('button', { name: 'End copy' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End copy' }).click();
  await page.getByText('The copy has ended.').waitFor();
  await acts.getByText('· Ended').waitFor();
  expect(await acts.getByRole('button', { name: 'End copy' }).count()).toBe(0);
  expect((await fetch(copy)).status).toBe(410);

  const phone = await asAdmin(darkPhone);
  await go(phone, path);
  await settled(phone);
  await expectAccessible(phone);
  const overflow = await phone.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
});

test('a kiosk is added, says what waits there, and is revoked; what arrives of it is stored by a person', async () => {
  const { checkIn } = scene;
  const page = await asAdmin();
  await go(page, `/pools/${pool}`);
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
});
