import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Ending, repository, runIn } from '../../src/outside/outside-place.ts';

const nodeModules = join(repository, 'node_modules');
const packageFileSchema = z.object({ name: z.string() });

/** A disposable copy of the workspace. */
export interface ScratchWorkspace {
  readonly root: string;
  /** Links a package of the copy into its `node_modules`, as `npm install` would. */
  link(folder: string, name: string): void;
  /** Runs a program of `node_modules/.bin` in it. */
  run(program: string, ...words: string[]): Promise<Ending>;
  remove(): void;
}

function copySources(to: string): string[] {
  const options = ['--cached', '--others', '--exclude-standard', '-z'];
  const paths = execFileSync('git', ['ls-files', ...options], { cwd: repository, encoding: 'utf8' }).split(
    '\0',
  );
  const there = paths.filter((path) => path !== '' && existsSync(join(repository, path)));
  for (const folder of new Set(there.map(dirname))) mkdirSync(join(to, folder), { recursive: true });
  for (const path of there) copyFileSync(join(repository, path), join(to, path));
  return there;
}

function linkModules(to: string): void {
  mkdirSync(join(to, 'node_modules/@waiver-service'), { recursive: true });
  for (const entry of readdirSync(nodeModules, { withFileTypes: true })) {
    const isOwn = entry.isSymbolicLink() || entry.name === '@waiver-service';
    if (isOwn || entry.name === '.cache') continue;
    symlinkSync(join(nodeModules, entry.name), join(to, 'node_modules', entry.name));
  }
}

/**
 * Copies the files that git tracks or would add into a new folder. Third-party packages are linked; the workspace's own
 * are copies, not yet built.
 */
export function createScratchWorkspace(): ScratchWorkspace {
  const scratch = mkdtempSync(join(tmpdir(), 'waiver-scratch-'));
  const link = (folder: string, name: string) =>
    symlinkSync(join(scratch, folder), join(scratch, 'node_modules', name));
  const files = copySources(scratch);
  linkModules(scratch);
  for (const file of files.filter((path) =>
    /^(tools|(packages|plugins|apps|tools)\/[^/]+)\/package\.json$/.test(path),
  )) {
    const folder = dirname(file);
    link(folder, packageFileSchema.parse(JSON.parse(readFileSync(join(scratch, file), 'utf8'))).name);
    const own = join(repository, folder, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(scratch, folder, 'node_modules'));
  }
  return {
    root: scratch,
    link,
    run: (program, ...words) => runIn(scratch, program, ...words),
    remove: () => rmSync(scratch, { recursive: true }),
  };
}
