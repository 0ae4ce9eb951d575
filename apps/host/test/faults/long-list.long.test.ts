import { openWaitingLanes } from '@waiver-service/outbox/testing';
import { report } from '@waiver-service/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { openConsole } from '../harness/console-page.ts';
import { startTestHost } from '../harness/test-host.ts';

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
  expect(at(slow, 0.5)).toBeLessThan(50);
  await browser.close();
  await host.close();
}, 1_800_000);
