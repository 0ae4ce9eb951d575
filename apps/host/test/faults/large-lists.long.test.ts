import { largeDay, seedDay } from '@waiver-service/day-board/testing';
import { openWaitingLanes } from '@waiver-service/outbox/testing';
import { report } from '@waiver-service/testing';
import { Client } from 'pg';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { openConsole } from '../harness/console-page.ts';
import { startTestHost } from '../harness/test-host.ts';

const bookings = 300;

const { pool } = largeDay;

// Today in the pool's time zone, UTC: the board begins with it.
const date = new Date().toISOString().slice(0, 10);

const median = (values: readonly number[]) =>
  Math.round(values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0);

test('a day of 300 bookings with 2,100 guests is shown, searched, scrolled and ticked', async () => {
  const host = await startTestHost();
  await host.call('PUT', `/v1/admin/pools/${pool}`, { name: 'Rafting' });
  const client = new Client({ connectionString: host.databaseUrl });
  await client.connect();
  await seedDay(client, bookings, date);
  await client.end();
  const answers: number[] = [];
  let bytes = 0;
  for (let round = 0; round < 7; round += 1) {
    const started = performance.now();
    const { text } = await host.call('GET', `/v1/admin/pools/${pool}/days/${date}`);
    answers.push(performance.now() - started);
    bytes = Buffer.byteLength(text);
  }
  const browser = await startBrowser();
  const tablet = { viewport: { width: 1024, height: 768 } };
  const [{ page }, other] = [
    await openConsole(browser, host, tablet),
    await openConsole(browser, host, tablet),
  ];
  const path = `${host.url}/console/day?pool=${pool}&date=${date}`;
  const first = page.getByRole('checkbox', { name: 'Guest 104 1 has arrived' });
  const views: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    await page.goto(`${host.url}/console/?pool=${pool}`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const started = performance.now();
    await page.getByRole('link', { name: 'Day board' }).click();
    await first.waitFor();
    views.push(performance.now() - started);
  }
  const frames = await page.evaluate(async () => {
    const taken: number[] = [];
    let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    for (let frame = 0; frame < 300; frame += 1) {
      scrollBy(0, 80);
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      taken.push(now - last);
      last = now;
    }
    return taken.toSorted((one, next) => one - next);
  });
  await page.evaluate(() => scrollTo(0, 0));
  await other.page.goto(path);
  const there = other.page.getByRole('checkbox', { name: 'Guest 104 1 has arrived' });
  await there.waitFor();
  const ticks: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const isChecked = round % 2 === 0;
    await page.waitForTimeout(1_500);
    const started = performance.now();
    await first.setChecked(isChecked);
    await expect.poll(() => there.isChecked(), { interval: 10, timeout: 10_000 }).toBe(isChecked);
    ticks.push(performance.now() - started);
  }
  const search = page.getByLabel('Search or scan');
  const started = performance.now();
  await search.fill('guest 299 3');
  await page.getByRole('checkbox', { name: 'Guest 299 3 has arrived' }).waitFor();
  await first.waitFor({ state: 'detached' });
  const foundMs = performance.now() - started;
  report({
    guests: bookings * 7,
    'answer of the API, median': `${median(answers)} ms, ${Math.round(bytes / 1024)} KiB`,
    'first guests shown after, median': `${median(views)} ms`,
    'frames while scrolling': `${median(frames)} ms, 95 % below ${Math.round(frames[Math.floor(frames.length * 0.95)] ?? 0)}`,
    'a tick on another browser, median': `${median(ticks)} ms, the longest ${Math.round(Math.max(...ticks))}`,
    'a guest found after': `${Math.round(foundMs)} ms`,
  });
  expect(median(answers)).toBeLessThan(1_000);
  expect(median(ticks)).toBeLessThan(5_000);
  await browser.close();
  await host.close();
}, 300_000);

const deliveries = 100_000;

const rowHeight = 41;

const rowsRead = (page: Page) =>
  page.getByRole('table').evaluate((table) => Number(table.getAttribute('aria-rowcount')) - 1);

/** Reads the list to its end. */
async function readAll(page: Page): Promise<void> {
  const deadline = Date.now() + 900_000;
  while ((await rowsRead(page)) < deliveries) {
    if (Date.now() > deadline) throw new Error(`${await rowsRead(page)} rows were read`);
    await page.getByRole('region', { name: 'Deliveries' }).evaluate(async (scroller) => {
      for (let frame = 0; frame < 600; frame += 1) {
        scroller.scrollTop = scroller.scrollHeight;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
  }
}

/** Scrolls for some seconds at a steady pace. @returns how long each frame took, sorted */
function scrollThrough(page: Page, rowsPerFrame: number): Promise<number[]> {
  return page.getByRole('region', { name: 'Deliveries' }).evaluate(async (scroller, step) => {
    const frames: number[] = [];
    scroller.scrollTop = 0;
    let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    for (let frame = 0; frame < 600; frame += 1) {
      scroller.scrollTop += step;
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      frames.push(now - last);
      last = now;
    }
    return frames.toSorted((one, other) => one - other);
  }, rowsPerFrame * rowHeight);
}

const at = (sorted: readonly number[], part: number) =>
  Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10;

test('a hundred thousand deliveries scroll', async () => {
  const host = await startTestHost({ ROLE: 'api' });
  const lanes = openWaitingLanes(host.databaseUrl);
  await lanes.seed([deliveries]);
  await lanes.settle();
  await lanes.close();
  const browser = await startBrowser();
  const { page } = await openConsole(browser, host);
  await page.goto(`${host.url}/console/deliveries`);
  await page.getByRole('row').nth(1).waitFor();
  const started = performance.now();
  await readAll(page);
  const readS = Math.round((performance.now() - started) / 1_000);
  const slow = await scrollThrough(page, 2);
  const fast = await scrollThrough(page, 150);
  const shown = await page.getByRole('row').count();
  const shownOf = (frames: readonly number[]) =>
    `${at(frames, 0.5)} ms, 95 % below ${at(frames, 0.95)}, the longest ${frames.at(-1)}`;
  report({
    deliveries,
    'read in': `${readS} s`,
    'rows drawn': shown,
    'frames at 2 rows a frame': shownOf(slow),
    'at 150': shownOf(fast),
  });
  expect(shown).toBeLessThan(100);
  await browser.close();
  await host.close();
}, 1_800_000);
