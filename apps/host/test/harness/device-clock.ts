import type { Page } from 'playwright-core';

/** In the page: sets its clock forward. */
function setForward(ms: number): void {
  const { now } = Date;
  Date.now = () => now.call(Date) + ms;
  globalThis.Date = new Proxy(Date, {
    construct: (target, values, as) =>
      Reflect.construct(target, values.length === 0 ? [target.now()] : values, as),
  });
}

/** Sets the clock of a page's device forward, also for the pages that it opens then. */
export async function setClockForward(page: Page, ms: number): Promise<void> {
  await page.context().addInitScript(setForward, ms);
  await page.evaluate(setForward, ms);
}
