import {
  adminToken,
  call,
  makeLink,
  publishForm,
  report,
  type TestCaller,
  textAt,
} from '@waiver-service/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { fillIn, phone, send, sign } from '../harness/check-in-page.ts';
import { openPage } from '../harness/console-page.ts';
import { formerVersions, whyNoFormer } from '../harness/former-version.ts';
import {
  buildFormerImage,
  buildImage,
  type Container,
  findImageBuilder,
  type Image,
  makeVolume,
  removeImage,
  restoreBackup,
  startContainer,
} from '../harness/image.ts';
import { freePort } from '../harness/spawned-host.ts';

const timeout = 900_000;
const commands = '/app/bin/waiver-service.js';

/** This checkout's image, or why there is none. */
let built: Image | string;

beforeAll(async () => {
  const builder = await findImageBuilder();
  if (typeof builder === 'string') {
    built = builder;
    return;
  }
  const begun = Date.now();
  built = await buildImage(builder);
  report({
    'seconds to build': Math.round((Date.now() - begun) / 1000),
    'MB of the image': Math.round(built.bytes / 1e6),
  });
}, timeout);
afterAll(async () => {
  if (typeof built === 'object') await removeImage(built);
});

const callerOf =
  ({ url }: Container, token: string): TestCaller =>
  (method, path, body) =>
    call(`${url}${path}`, body, { method, token });

/** A pool whose guests sign by a link. */
interface LinkedPool {
  readonly link: string;
  readonly accessToken: string;
}

async function makePool(admin: TestCaller): Promise<LinkedPool> {
  const pool = await admin('PUT', '/v1/admin/pools/rafting', { name: 'Rafting', timeZone: 'Europe/Berlin' });
  expect(pool.status).toBe(200);
  await publishForm({ admin }, 'rafting');
  const { body } = await admin('POST', '/v1/admin/pools/rafting/access-tokens');
  return { link: await makeLink(admin, 'rafting', { desk: true }), accessToken: textAt(body, 'token') };
}

/** Opens the link on a guest's phone. */
async function openLink(browser: Browser, { url }: Container, { link }: LinkedPool) {
  const { page } = await openPage(browser, { viewport: phone });
  await page.goto(`${url}/check-in/${link}`);
  return page;
}

/** The names of the guests whose waivers are complete. */
async function signedNames(container: Container, { accessToken }: LinkedPool): Promise<string[]> {
  const { body } = await callerOf(container, accessToken)('GET', '/v1/pools/rafting/waivers?limit=100');
  const items: { answers: { name: string }; currentPage: unknown }[] = body.items;
  const complete = items.filter(({ currentPage }) => currentPage === null);
  return complete.map(({ answers }) => answers.name).toSorted();
}

/** Expects that the image's health check answers, and that nothing can be written outside its volume. */
async function expectHealthy(container: Container, image: Image): Promise<void> {
  expect(await container.execute(...image.healthCheck)).toEqual({ status: 0, output: '' });
  const { output } = await container.execute('touch', '/app/touched');
  expect(output).toContain('Read-only file system');
  expect((await container.execute('id', '--user')).output).toBe('1000\n');
}

test('without settings it prints a token once; what guests sign outlives kill -9, and is in a backup', {
  timeout,
}, async (context) => {
  const image = built;
  if (typeof image === 'string') return context.skip(image);
  expect(image.user).toBe('node');
  const [volume, port, browser] = await Promise.all([makeVolume(image), freePort(), startBrowser()]);
  onTestFinished(() => browser.close());

  const announced = /^the admin token, shown this once: (\w{64})$/gm;
  const first = await startContainer({ image, volume, port });
  const [[, token = ''] = [], ...others] = first.output().matchAll(announced);
  expect(others).toEqual([]);
  await expectHealthy(first, image);
  const pool = await makePool(callerOf(first, token));
  await sign(await openLink(browser, first, pool), 'Ana River');
  const late = await openLink(browser, first, pool);
  await fillIn(late, 'Ben Late');
  await first.kill();

  const second = await startContainer({ image, volume, port });
  expect(second.output()).not.toContain('admin token, shown');
  expect(await signedNames(second, pool)).toEqual(['Ana River']);
  await send(late);
  expect(await second.execute(commands, 'backup', '/data/monday.backup')).toMatchObject({ status: 0 });
  const keys = (await second.execute('cat', '/data/encryption-keys')).output.trim();
  expect(await second.stop()).toBe(0);

  const restored = await restoreBackup(image, volume, 'monday.backup', keys);
  const settings = { ENCRYPTION_KEYS: keys };
  const third = await startContainer({ image, volume: restored, port, settings });
  expect(await signedNames(third, pool)).toEqual(['Ana River', 'Ben Late']);
  expect(await third.stop()).toBe(0);
});

test('the image takes over the volume of the former one: what was signed is there, and its links go on', {
  timeout,
}, async (context) => {
  const commit = formerVersions.at(-1) ?? '';
  const obstacle = whyNoFormer(commit);
  if (obstacle !== undefined) return context.skip(obstacle);
  const image = built;
  if (typeof image === 'string') return context.skip(image);
  const former = await buildFormerImage(image.builder, commit);
  const [volume, port, browser] = await Promise.all([makeVolume(image), freePort(), startBrowser()]);
  onTestFinished(() => browser.close());
  const settings = { BASE_URL: `http://localhost:${port}`, ADMIN_TOKEN: adminToken };

  const before = await startContainer({ image: former, volume, port, settings });
  const pool = await makePool(callerOf(before, adminToken));
  await sign(await openLink(browser, before, pool), 'Ana River');
  const late = await openLink(browser, before, pool);
  await fillIn(late, 'Ben Late');
  expect(await before.stop()).toBe(0);

  const after = await startContainer({ image, volume, port, settings });
  await expectHealthy(after, image);
  expect(await signedNames(after, pool)).toEqual(['Ana River']);
  await send(late);
  await sign(await openLink(browser, after, pool), 'Cleo New');
  expect(await signedNames(after, pool)).toEqual(['Ana River', 'Ben Late', 'Cleo New']);
  expect(await after.stop()).toBe(0);
});
