import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { publishForm } from '../harness/check-in.ts';
import { type ConsoleScene, pool, startConsoleScene } from '../harness/console-scene.ts';

// A browser looks at many pages.
vi.setConfig({ testTimeout: 300_000 });

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await startConsoleScene();
  await publishForm(scene.host, pool);
});
afterEach(() => scene.expectNoComplaints());
afterAll(() => scene.close());

describe('on a phone', () => {
  const lists = ['/deliveries', '/destinations', `/waivers?pool=${pool}`, '/audit', '/pools', '/people'];
  const phone = { viewport: { width: 360, height: 740 } };

  test('filters are behind one button, which counts those that are set', async () => {
    const page = await scene.asAdmin(phone);
    const filters = page.getByRole('search');
    for (const [path, field, choice] of [
      ['/deliveries', 'Kind', 'Webhook'],
      [`/waivers?pool=${pool}`, 'State', 'Signed'],
      ['/audit', 'Period', 'Last hour'],
    ] as const) {
      await scene.go(page, path);
      await filters.getByRole('button', { name: 'Filters', exact: true }).click();
      await filters.getByLabel(field).selectOption(choice);
      await filters.getByRole('button', { name: 'Filters (1)' }).click();
      await filters.getByLabel(field).waitFor({ state: 'hidden' });
      const row = page.getByRole('row').nth(1);
      const { y = Number.NaN } = (await row.boundingBox()) ?? {};
      expect(y, `the first row of ${path}`).toBeLessThan(370);
    }
  });

  test('each row of a list is a card: all that it shows is in view', async () => {
    const page = await scene.asAdmin(phone);
    for (const path of lists) {
      await scene.go(page, path);
      await page.getByRole('row').nth(1).waitFor();
      for (const table of await page.getByRole('table').all()) {
        const hidden = await table.locator('tbody td:not(:empty)').evaluateAll((cells) =>
          cells.flatMap((cell) => {
            const { left, right } = cell.getBoundingClientRect();
            const isCut = cell.scrollWidth > cell.clientWidth;
            return left >= 0 && right <= innerWidth && !isCut ? [] : [cell.textContent];
          }),
        );
        expect([path, hidden]).toEqual([path, []]);
      }
    }
  });

  test('the name of the chosen pool is in view', async () => {
    await scene.host.admin('PUT', `/v1/admin/pools/${pool}`, { name: 'Alpine Rafting' });
    const page = await scene.asAdmin(phone);
    for (const path of ['/deliveries', `/deliveries?pool=${pool}`]) {
      await scene.go(page, path);
      const choice = page.getByRole('combobox', { name: 'Pool' });
      await choice.getByRole('option', { name: 'Alpine Rafting' }).waitFor({ state: 'attached' });
      const { room, needed } = await choice.evaluate((select: HTMLSelectElement) => {
        const text = document.createElement('span');
        text.textContent = select.selectedOptions[0]?.textContent ?? '';
        text.style.cssText = `position: absolute; white-space: nowrap; font: ${getComputedStyle(select).font}`;
        document.body.append(text);
        const needed = text.getBoundingClientRect().width;
        text.remove();
        const { paddingLeft, paddingRight } = getComputedStyle(select);
        const arrow = 20;
        return {
          needed,
          room: select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow,
        };
      });
      expect(needed, path).toBeLessThanOrEqual(room);
    }
  });
});
