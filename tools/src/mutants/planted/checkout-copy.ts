import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const notCopied = new Set(['node_modules', '.git', '.data', '.nx', 'reports']);

/** A copy of the checkout in which sources may be changed. */
export interface CheckoutCopy {
  readonly folder: string;
  remove(): void;
}

/** Copies a checkout. What npm installed is linked to, but for the workspace's own packages, which are the copy's. */
export function copyCheckout(root: string): CheckoutCopy {
  const folder = mkdtempSync(join(tmpdir(), 'waiver-service-mutants-'));
  cpSync(root, folder, { recursive: true, filter: (path) => !notCopied.has(basename(path)) });
  const installed = join(root, 'node_modules');
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(installed)) {
    const link = join(folder, 'node_modules', name);
    if (name === '@waiver-service')
      cpSync(join(installed, name), link, { recursive: true, verbatimSymlinks: true });
    else if (name !== '.cache') symlinkSync(join(installed, name), link);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
