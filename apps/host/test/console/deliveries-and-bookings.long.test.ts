import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { accountKey, textAt } from '../harness/connected-host.ts';
import { type ConsolePage, expectAccessible, settled } from '../harness/console-page.ts';
import { bookingId, type ConsoleScene, markup, pool, startConsoleScene } from '../harness/console-scene.ts';
import { until } from '../harness/test-host.ts';

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await startConsoleScene();
});
afterEach(() => scene.expectNoComplaints());
afterAll(() => scene.close());

test('everything that failed is opened again, with progress', async () => {
  const { body } = await scene.host.admin('POST', `/v1/pools/${pool}/waivers`, { answers: { name: 'Rae' } });
  await until(async () => {
    const dead = `/v1/admin/deliveries?state=dead&waiverId=${textAt(body, 'id')}`;
    return (await scene.host.admin('GET', dead)).body.items.length > 0;
  }, 'the webhook of a waiver without a booking to fail for good');
  const page = await scene.asAdmin({}, '/deliveries');
  await page.getByRole('button', { name: 'Retry failed…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry all' }).click();
  await page.getByText(/^[1-9]\d* of [1-9]\d* queued again$/).waitFor();
  await page.getByText('All of them are queued again.').waitFor();
});

const rowOf = (page: ConsolePage['page'], guest: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: guest, exact: true }) });

test('more windows than a browser opens connections for all work', async () => {
  const first = await scene.asAdmin();
  for (let window = 0; window < 6; window += 1) {
    const page = await first.context().newPage();
    scene.opened.push({ page, complaints: [] });
    await page.goto(`${scene.host.url}/console/deliveries`);
    await page.getByRole('row').nth(1).waitFor();
  }
});

test('deliveries are found by their error, and one shows its lane', async () => {
  const page = await scene.asAdmin({}, '/deliveries');
  await page.getByLabel('Error').selectOption('Timed out');
  await page.getByText('No message matches these filters').waitFor();
  await page.getByLabel('Error').selectOption('Error status');
  const status = page.getByLabel('HTTP status');
  await status.fill('422');
  await page.waitForURL(/status=422/);
  // A status that is being corrected filters nothing, and stays.
  await status.press('Backspace');
  await page.waitForURL((url) => !url.searchParams.has('status'));
  await settled(page);
  expect(await status.inputValue()).toBe('42');
  await status.press('2');
  await page.waitForURL(/status=422/);
  await settled(page);
  await rowOf(page, markup).getByRole('link').first().click();
  await page.getByRole('region', { name: 'Lane' }).getByText('Nothing else is waiting in it.').waitFor();
});

test('an installation is tested, and its booking shown', async () => {
  const page = await scene.asAdmin({}, `/pools/${pool}`);
  await page.getByRole('region', { name: 'Booking systems' }).getByRole('button', { name: 'Test' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Booking id').fill(bookingId);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText(/It works: read in/).waitFor();
  const steps = dialog.getByRole('listitem');
  await steps.filter({ hasText: 'Connection' }).getByText('took the connection').waitFor();
  await dialog.locator('summary').press('Enter');
  await dialog.getByText('api-key: «redacted»').waitFor();
  await dialog.getByText('"BK-1001"').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Booking id').fill('none');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText('Look the booking up in the booking system’s own back office').waitFor();
  await steps.filter({ hasText: 'Normalize' }).getByText('Not reached', { exact: true }).waitFor();
});

test('an installation is checked against the contract, after its requests are shown', async () => {
  const page = await scene.asAdmin({}, `/pools/${pool}`);
  const systems = page.getByRole('region', { name: 'Booking systems' });
  await systems.getByRole('button', { name: 'Check', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It asks for the booking without a key').waitFor();
  await dialog.getByText('In the end it voids both waivers').waitFor();
  await dialog.getByLabel('Booking id').fill(bookingId);
  const written = () =>
    scene.system.received.filter(({ body }) => body.includes('waiver-service-check')).length;
  await dialog.getByRole('button', { name: 'Start the check' }).press('Enter');
  await dialog.getByText('It follows the contract').waitFor();
  await dialog.getByText('you chose not to write').waitFor();
  expect(written()).toBe(0);
  await dialog.getByLabel('Guest Updates').selectOption('Write sample waivers and void them');
  await dialog.getByRole('button', { name: 'Start the check' }).click();
  await dialog.getByText('a voided waiver (deleted: true) is taken').waitFor();
  await dialog.getByText('It follows the contract').waitFor();
  expect(written()).toBeGreaterThan(0);
  await expectAccessible(page);
});

test('a booking is opened and found in its own booking system, also if it is not the pool’s default', async () => {
  const { admin, makePool, connect } = scene.host;
  await makePool('two-systems');
  for (const installName of ['standard', 'standard-query'])
    await connect(installName, scene.system, 'two-systems');
  const place = { bookingSystem: 'standard-query', bookingId };
  const signed = { id: 'W-quin', ...place, answers: { name: 'Quin' } };
  expect((await admin('POST', '/v1/pools/two-systems/waivers', signed)).status).toBe(201);
  const page = await scene.asAdmin();
  const link = page.getByRole('link', { name: bookingId, exact: true });
  for (const path of [
    '/waivers?pool=two-systems',
    '/waivers/two-systems/W-quin',
    '/deliveries?pool=two-systems&kind=guest-update',
  ]) {
    await scene.go(page, path);
    expect([path, await link.getAttribute('href')]).toEqual([
      path,
      expect.stringContaining('bookingSystem=standard-query'),
    ]);
  }
  await page.getByRole('link', { name: 'Quin', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Guest Update' }).waitFor();
  expect(await link.getAttribute('href')).toContain('bookingSystem=standard-query');

  await scene.go(page, '/waivers/two-systems/W-quin');
  await page.getByRole('button', { name: 'Move…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Booking system').selectOption('standard');
  await dialog.getByLabel('Booking id').fill('BK-1002');
  const read = page.waitForRequest(/\/bookings\/BK-1002\?/);
  await dialog.getByRole('button', { name: 'Find' }).click();
  expect(new URL((await read).url()).searchParams.get('bookingSystem')).toBe('standard');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Attach' }).click();
  await page.getByText('Attached. The booking system will be updated.').waitFor();
  expect((await admin('GET', '/v1/pools/two-systems/waivers/W-quin')).body).toMatchObject({
    bookingSystem: 'standard',
    bookingId: 'BK-1002',
  });
});

test('signed documents are sent to a booking system that takes them once its operator has read what is in them', async () => {
  const { admin, makePool } = scene.host;
  await makePool('kayaks');
  await admin('PUT', '/v1/admin/booking-systems/octo', { baseUrl: scene.system.url });
  const path = '/v1/admin/pools/kayaks/installations';
  await admin('PUT', `${path}/octo`, { accountId: 'kayaks', apiKey: accountKey });
  const page = await scene.asAdmin({}, '/pools/kayaks');
  await page.getByText('Not sent', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send documents' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send signed documents to octo?' });
  await dialog.getByText('except health answers').waitFor();
  await dialog.getByRole('button', { name: 'Send documents' }).click();
  await page.getByText('Sent, without health answers').waitFor();
  expect((await admin('GET', path)).body.items).toMatchObject([{ shareDocument: true }]);
  await page.getByRole('button', { name: 'Stop sending documents' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop sending documents' }).click();
  await page.getByText('Not sent', { exact: true }).waitFor();
  await scene.go(page, `/pools/${pool}`);
  await page.getByRole('button', { name: 'Uninstall' }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Send documents' }).count()).toBe(0);
});
