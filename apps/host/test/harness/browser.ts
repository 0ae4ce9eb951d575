import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { unpackBrowser } from './unpacked-browser.ts';

const quiet = ['--no-sandbox', '--disable-background-networking', '--disable-component-update'];

/**
 * Starts a real browser: the one that comes with npm where it runs (Linux on x64), an installed Chrome elsewhere.
 * @throws where there is neither, saying what to install
 */
export async function startBrowser(): Promise<Browser> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    return playwright.launch({
      executablePath: join(await unpackBrowser(), 'chromium'),
      args: [...chromium.args, ...quiet],
    });
  }
  try {
    return await playwright.launch({ channel: 'chrome', args: quiet });
  } catch (cause) {
    throw new Error('This test needs a browser: install Google Chrome.', { cause });
  }
}
