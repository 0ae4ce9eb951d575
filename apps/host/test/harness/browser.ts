import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { unpackBrowser } from './unpacked-browser.ts';

const quiet = ['--no-sandbox', '--disable-background-networking', '--disable-component-update'];

// There is no graphics card, and fonts look the same on every machine. The flags that the package itself proposes are
// for a function in the cloud: one process for everything, which shares cookies and ends with any page, and no web
// security.
const headlessShell = [
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--font-render-hinting=none',
  // Ends the process that draws if the machine stands still for some seconds.
  '--disable-gpu-watchdog',
];

/** A real browser's program: the one that comes with npm where it runs (Linux on x64), an installed Chrome elsewhere. */
export async function browserCommand(): Promise<{ executablePath: string; args: readonly string[] }> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    return {
      executablePath: join(await unpackBrowser(), 'chromium'),
      args: [...headlessShell, ...quiet],
    };
  }
  return { executablePath: chromium.executablePath(), args: quiet };
}

/**
 * Starts a real browser: the one that comes with npm where it runs (Linux on x64), an installed Chrome elsewhere.
 * @throws where there is neither, saying what to install
 */
export async function startBrowser(): Promise<Browser> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { executablePath, args } = await browserCommand();
    return chromium.launch({ executablePath, args: [...args] });
  }
  try {
    return await chromium.launch({ channel: 'chrome', args: quiet });
  } catch (cause) {
    throw new Error('This test needs a browser: install Google Chrome.', { cause });
  }
}
