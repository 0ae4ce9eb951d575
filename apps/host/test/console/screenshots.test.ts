import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBookingSystem, startWebhookReceiver } from '@waiver-service/simulator';
import { expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { accountKey, startConnectedHost, textAt } from '../harness/connected-host.ts';
import { openConsole, settled } from '../harness/console-page.ts';
import { until } from '../harness/test-host.ts';

/** Where the pictures of the docs are written; they are not taken otherwise. */
const folder = process.env.WAIVER_SERVICE_SCREENSHOTS;

const pool = 'alpine-rafting';
const guests = ['Zoë Bäcker', 'Siobhán Ní Dhúaill', 'Jürgen Größl', 'Ana Peña', 'Łukasz Wójcik'];

/** A pool as an operator might have it: waivers that arrived, and a webhook that has begun to refuse. */
async function furnishedHost() {
  const host = await startConnectedHost({ RETRY_SCHEDULE: '0s,1s,1h' });
  const [system, receiver] = await Promise.all([
    startBookingSystem({ apiKey: accountKey, form: 'current', pathShape: 'path', authHeaderName: 'api-key' }),
    startWebhookReceiver(),
  ]);
  const app = await host.makePool(pool, { name: 'Alpine Rafting' });
  await host.connect('standard', system, pool);
  const webhook = { url: receiver.url, auth: { type: 'none' }, properties: ['name'], signing: true };
  await host.admin('POST', `/v1/admin/pools/${pool}/webhooks`, webhook);
  const ids: string[] = [];
  for (const [index, name] of guests.entries()) {
    if (index === guests.length - 1) {
      receiver.faults.always('webhook', {
        kind: 'status',
        status: 503,
        body: 'The server is being upgraded.',
      });
    }
    const { body } = await app('POST', `/v1/pools/${pool}/waivers`, {
      ...(index < 2 ? { bookingId: 'BK-1001', bookingGuestId: `G-${index + 1}` } : {}),
      answers: { name, email: `guest${index + 1}@example.com` },
    });
    ids.push(textAt(body, 'id'));
  }
  const failing = await until(async () => {
    const { body } = await host.admin('GET', `/v1/admin/deliveries?state=waiting&waiverId=${ids.at(-1)}`);
    const id: unknown = body.items[0]?.id;
    if (typeof id !== 'string') return undefined;
    const delivery = await host.admin('GET', `/v1/admin/deliveries/${id}`);
    return delivery.body.attempts.length > 1 ? id : undefined;
  }, 'a delivery that was refused twice');
  return {
    host,
    failing,
    close: () => Promise.all([host.close(), system.close(), receiver.close()]),
  };
}

test.runIf(folder !== undefined)('the pictures of the docs', async () => {
  const { host, failing, close } = await furnishedHost();
  const browser = await startBrowser();
  const pages = {
    overview: '/',
    booking: `/bookings?pool=${pool}&id=BK-1001`,
    deliveries: `/deliveries?pool=${pool}`,
    delivery: `/deliveries/${failing}?pool=${pool}`,
    pool: `/pools/${pool}`,
    'booking-systems': '/booking-systems',
  };
  mkdirSync(folder ?? '', { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    const pictureOf = (name: string) => join(folder ?? '', `console-${name}-${colorScheme}.png`);
    const { page, complaints } = await openConsole(browser, host, { colorScheme });
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(`${host.url}/console${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      await page.screenshot({ path: pictureOf(name) });
    }
    await page.goto(`${host.url}/console/pools/${pool}`);
    const systems = page.getByRole('region', { name: 'Booking systems' });
    await systems.getByRole('button', { name: 'Test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Booking id').fill('BK-1001');
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByText(/It works/).waitFor();
    await settled(page);
    await page.screenshot({ path: pictureOf('test') });
    expect(complaints).toEqual([]);
  }
  await browser.close();
  await close();
});
