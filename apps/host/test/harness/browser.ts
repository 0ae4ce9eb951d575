import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';

const run = promisify(execFile);
const packageFolder = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..');
const cache = join(import.meta.dirname, '../../../../node_modules/.cache/waiver-service');

const unpack = `
const { default: chromium } = await import(process.argv[1]);
await chromium.executablePath();
`;

/**
 * Unpacks the browser that comes with npm, once for a checkout.
 *
 * Left to itself it goes to one name in the machine's temporary folder, where only the first user of the machine
 * can run it: so it is unpacked by a process whose temporary folder is one of ours.
 *
 * @returns the folder that holds `chromium`, and its `fonts`
 */
export async function unpackBrowser(into = cache): Promise<string> {
  const { version }: { version: string } = JSON.parse(
    await readFile(join(packageFolder, 'package.json'), 'utf8'),
  );
  const folder = join(into, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  // Unpacked beside and renamed, so that one cut short is never taken for a whole one.
  await mkdir(into, { recursive: true });
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    await run(
      process.execPath,
      ['--input-type=module', '-e', unpack, join(packageFolder, 'build', 'index.js')],
      { env: { ...process.env, TMPDIR: unfinished } },
    );
    await rename(unfinished, folder);
  } catch (error) {
    // Another test may have been first.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

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

/**
 * Runs in a page: does to its texts what Chrome's translator does. Each text node is replaced by nested `<font>`
 * elements with a changed text, those that the page adds later as well.
 */
export function translatePage(): void {
  const isOurs = ({ parentElement: parent }: Text) =>
    parent !== null &&
    parent.closest('font, script, style, textarea, .notranslate') === null &&
    parent.closest('[translate]')?.getAttribute('translate') !== 'no';
  const translate = (node: Node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let text: Node | null = walker.currentNode; text !== null; text = walker.nextNode()) {
      if (text instanceof Text && text.data.trim() !== '' && isOurs(text)) texts.push(text);
    }
    for (const text of texts) {
      const font = document.createElement('font');
      const inner = font.appendChild(document.createElement('font'));
      inner.textContent = `«${text.data}»`;
      text.replaceWith(font);
    }
  };
  document.documentElement.classList.add('translated-ltr');
  document.documentElement.lang = 'hu';
  translate(document.body);
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      for (const node of [target, ...addedNodes]) if (node.isConnected) translate(node);
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}

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
