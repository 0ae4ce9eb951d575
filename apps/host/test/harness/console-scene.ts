import { startWebhookReceiver } from '@waiver-service/simulator';
import { startSystemFor, textAt, until } from '@waiver-service/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { openConsole } from './console-page.ts';
import { startTestHost } from './test-host.ts';

export const pool = 'rafting';
export const bookingId = 'BK-1001';
/** Text in every place that a guest or a partner can fill. */
export const markup = '<img src=x onerror=alert(1)>“Zoë”';

export type ConsoleScene = Awaited<ReturnType<typeof startConsoleScene>>;

/**
 * A browser, and a host to look at: its pool has a booking system and a webhook that refuses everything, a signed waiver, and
 * of its messages a delivered and a failed one.
 */
export async function startConsoleScene() {
  const [host, browser, system, receiver] = await Promise.all([
    startTestHost(),
    startBrowser(),
    startSystemFor('standard'),
    startWebhookReceiver(),
  ]);
  const deliveryWith = (state: string): Promise<string> =>
    until(async () => {
      const { body } = await host.admin('GET', `/v1/admin/deliveries?pool=${pool}&state=${state}`);
      return body.items[0]?.id as string | undefined;
    }, `a delivery that is ${state}`);

  const app = await host.makePool(pool);
  await host.connect('standard', system, pool);
  const webhooks = `/v1/admin/pools/${pool}/webhooks`;
  await host.admin('POST', webhooks, { url: receiver.url, auth: { type: 'none' }, properties: ['name'] });
  receiver.faults.always('webhook', { kind: 'status', status: 422, body: markup });
  const created = await app('POST', `/v1/pools/${pool}/waivers`, {
    bookingId,
    bookingGuestId: 'G-1',
    answers: { name: markup, feedback: markup },
  });
  await deliveryWith('delivered');
  await deliveryWith('dead');

  return {
    host,
    browser,
    system,
    receiver,
    waiverId: textAt(created.body, 'id'),
    deliveryWith,
    asAdmin: async (options: BrowserContextOptions = {}, path = '/') =>
      (await openConsole(browser, host, options, path)).page,
    go: (page: Page, path: string) => page.goto(`${host.url}/console${path}`),
    async close() {
      await browser.close();
      await Promise.all([host.close(), system.close(), receiver.close()]);
    },
  };
}
