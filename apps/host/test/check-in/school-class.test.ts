import { expect, onTestFinished, test } from 'vitest';
import { onScreen, startCheckInScene } from '../harness/check-in-page.ts';

const guests = 200;
const maxConnections = 40;

const isFile = (path: string) => path.startsWith('/check-in/') && !path.startsWith('/check-in/api/');

test('200 guests behind one address open the page for the first time within a minute', async () => {
  const scene = await startCheckInScene();
  onTestFinished(() => scene.close());
  const { host } = scene.checkIn;
  const { page } = await scene.open({ desk: true });
  // It has loaded the files that the page needs without signal.
  await page.evaluate(() => navigator.serviceWorker.ready);
  const ofOne: string[] = host.lines
    .map((line) => JSON.parse(line))
    .flatMap(({ path = '' }) => (isFile(path) ? [path] : []));
  expect(ofOne.length).toBeGreaterThan(20);

  const paths = Array.from({ length: guests - 1 }, () => ofOne)
    .flat()
    .values();
  const statuses = new Set<number>();
  await Promise.all(
    Array.from({ length: maxConnections }, async () => {
      for (const path of paths) {
        const response = await fetch(new URL(path, host.url));
        await response.arrayBuffer();
        statuses.add(response.status);
      }
    }),
  );
  expect([...statuses]).toEqual([200]);

  const last = await scene.open({ desk: true });
  await onScreen(last.page, 'Who are you?');
});
