import { publishForm } from '@waiver-service/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
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
});
