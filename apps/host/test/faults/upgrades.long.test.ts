import { createTestDatabase } from '@waiver-service/database/testing';
import { type ReceivedRequest, startWebhookReceiver } from '@waiver-service/simulator';
import {
  accountKey,
  call,
  makeLink,
  publishForm,
  startSystemFor,
  textAt,
  until,
} from '@waiver-service/testing';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { draw, enterWho, goOn, goToSignature, onScreen, pads, send, sign } from '../harness/check-in-page.ts';
import { openConsole, openPage } from '../harness/console-page.ts';
import { buildFormer, formerVersions, whyNoFormer } from '../harness/former-version.ts';
import { freePort, type Program, startProgram } from '../harness/program.ts';
import { startRollingHosts } from '../harness/rolling-hosts.ts';

const rounds = 3;

test.for(formerVersions)(
  'hosts of %s replaced by this version under load, back, and again: no failed request, nothing lost, nothing out of order',
  {
    timeout: 900_000,
  },
  async (commit, context) => {
    const obstacle = whyNoFormer(commit);
    if (obstacle !== undefined) return context.skip(obstacle);
    const former = buildFormer(commit);
    const scene = await startRollingHosts(2, former);
    for (let round = 0; round < rounds; round += 1) {
      // The first new host migrates the database; the former ones go on beside it.
      await scene.replaceAll();
      if (round < rounds - 1) await scene.replaceAll(former);
    }
    await scene.end({ 'version before': commit.slice(0, 7), 'hosts replaced': 2 * (2 * rounds - 1) });
  },
);

const pool = '/v1/pools/rafting';
const adminPool = '/v1/admin/pools/rafting';

/** The keys, tokens and links of a pool, as a host gave them out. */
async function giveOut(host: Program, system: { readonly url: string }, receiver: { readonly url: string }) {
  const accessToken = await host.makePool('rafting', { timeZone: 'Europe/Berlin' });
  await host.connect('standard', system, 'rafting');
  const installed = await host.done('PUT', `${adminPool}/installations/standard`, {
    accountId: 4711,
    apiKey: accountKey,
  });
  const webhook = { url: receiver.url, auth: { type: 'none' }, signing: true };
  await publishForm({ admin: host.call }, 'rafting');
  return {
    accessToken,
    installKey: textAt(await host.done('POST', '/v1/admin/booking-systems/standard/install-keys'), 'key'),
    webhookUrl: textAt(installed, 'webhookUrl'),
    appPoolKey: textAt(installed, 'apiKey'),
    signingSecret: textAt(await host.done('POST', `${adminPool}/webhooks`, webhook), 'signingSecret'),
    credential: textAt(
      await host.done('POST', '/v1/admin/credentials', { name: 'Desk', role: 'operator' }),
      'token',
    ),
    link: await makeLink(host.call, 'rafting', { desk: true }),
    pairingCode: textAt(
      await host.done('POST', `${adminPool}/kiosks`, { name: 'Desk', pin: '2468' }),
      'code',
    ),
  };
}

test.for(formerVersions)(
  'what a host of %s began goes on at this version: keys, pages that are open, a kiosk without signal, messages that wait',
  {
    timeout: 900_000,
  },
  async (commit, context) => {
    const obstacle = whyNoFormer(commit);
    if (obstacle !== undefined) return context.skip(obstacle);
    const build = buildFormer(commit);
    const [database, system, receiver, browser] = await Promise.all([
      createTestDatabase({ empty: true }),
      startSystemFor('standard'),
      startWebhookReceiver(),
      startBrowser(),
    ]);
    onTestFinished(async () => {
      await browser.close();
      await Promise.all([system.close(), receiver.close()]);
      await database.drop();
    });
    const settings = {
      DATABASE_URL: database.url,
      // Pages that are open stay with their address.
      PORT: String(await freePort()),
      RETRY_SCHEDULE: ['0s', ...Array(9).fill('30s')].join(','),
    };
    const former = await startProgram(settings, build);
    const given = await giveOut(former, system, receiver);

    const waiver = { id: 'W-1', bookingId: 'BK-1001', bookingGuestId: 'G-1', answers: { name: 'Ada' } };
    const failing = { kind: 'status', status: 503 } as const;
    system.faults.always('guest-update', failing);
    receiver.faults.always('webhook', failing);
    await former.done('POST', `${pool}/waivers`, waiver);
    await Promise.all([system.untilReceived('guest-update', 1), receiver.untilReceived('webhook', 1)]);

    const guest = await openPage(browser);
    await guest.page.goto(`${former.url}/check-in/${given.link}`);
    await enterWho(guest.page, 'Ana Open');

    const kiosk = await openPage(browser, { viewport: { width: 1024, height: 768 }, hasTouch: true });
    await kiosk.page.goto(`${former.url}/check-in/kiosk`);
    await kiosk.page.getByLabel('Code').fill(given.pairingCode);
    await kiosk.page.getByRole('button', { name: 'Pair' }).click();
    await onScreen(kiosk.page, 'Welcome! Please sign here.');
    await kiosk.page.evaluate(() => navigator.serviceWorker.ready);
    await kiosk.page.context().setOffline(true);
    await kiosk.page.getByRole('button', { name: 'Sign without a booking' }).click();
    await sign(kiosk.page, 'Ana River');
    await kiosk.page.getByText('kept on this tablet').waitFor();
    await kiosk.page.getByRole('button', { name: 'Next guest' }).click();
    await kiosk.page.getByText('1 signing waits on this device').waitFor();

    const { page: console, complaints } = await openConsole(browser, former);

    expect(await former.stop()).toBe(0);
    system.faults.clear();
    receiver.faults.clear();
    const host = await startProgram(settings);
    onTestFinished(async () => void (await host.stop()));
    expect(host.url).toBe(former.url);

    const signedBy = async (name: string) => {
      const { items } = await host.done('GET', `${pool}/waivers?limit=100`, undefined, {
        token: given.accessToken,
      });
      return JSON.stringify(items).split(`"${name}"`).length - 1;
    };
    await goToSignature(guest.page);
    await draw(guest.page, pads(guest.page));
    await goOn(guest.page, 'Is everything right?');
    await send(guest.page);
    expect(await signedBy('Ana Open')).toBe(1);

    await kiosk.page.context().setOffline(false);
    await kiosk.page.getByText('What waited on this device was sent.').waitFor();
    expect(await signedBy('Ana River')).toBe(1);

    // Its scripts are no longer there: the page loads those of this version, in older versions at a click.
    await console.getByRole('link', { name: 'Deliveries' }).click();
    const deliveries = console.getByRole('heading', { level: 1, name: 'Deliveries' });
    const tryAgain = console.getByRole('button', { name: 'Try again' });
    await deliveries.or(tryAgain).waitFor();
    if (await tryAgain.isVisible()) await tryAgain.click();
    await deliveries.waitFor();
    // Of the scripts, and of what it asked while there was no host.
    complaints.splice(0);

    await until(() => system.waivers.has(waiver.id), 'the Guest Update that waited', 60_000);
    const isTaken = ({ answer, body }: ReceivedRequest) =>
      answer?.status === 200 && body.includes(JSON.stringify(waiver.id));
    const taken = await receiver.untilReceived('webhook', (requests) => requests.some(isTaken), 60_000);
    const webhook = taken.find(isTaken);
    const headers = Object.fromEntries(
      Object.entries(webhook?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(() => new Webhook(given.signingSecret).verify(String(webhook?.body), headers)).not.toThrow();

    const me = await host.done('GET', '/v1/admin/me', undefined, { token: given.credential });
    expect(me).toMatchObject({ name: 'Desk', role: 'operator' });
    const announced = await call(
      given.webhookUrl,
      { id: 'BK-1001', pool: 'rafting' },
      { method: 'POST', headers: { 'api-key': given.appPoolKey } },
    );
    expect(announced).toMatchObject({ status: 200, body: { success: true, bookings: [{ id: 'BK-1001' }] } });
    const installation = { installName: 'standard', key: given.installKey, pool: 'rafting', accountId: 4711 };
    await system.install({ ...installation, baseUrl: host.url });
  },
);
