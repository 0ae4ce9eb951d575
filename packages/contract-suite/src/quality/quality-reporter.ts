import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Reporter, TestModule, TestProject, Vitest } from 'vitest/node';
import { evidenceOf, pluginFolderOf } from './plugin-evidence.ts';
import { type ClaimingPlugin, unprovenClaims } from './unproven-claims.ts';

function claimsOf(root: string, folder: string): ClaimingPlugin {
  const quality: { readonly rules: Readonly<Record<string, { readonly state: string }>> } = JSON.parse(
    readFileSync(join(folder, 'quality.json'), 'utf8'),
  );
  const done = Object.entries(quality.rules).filter(([, { state }]) => state === 'done');
  return {
    folder: relative(root, folder) || basename(folder),
    done: new Set(done.map(([rule]) => rule)),
    fixtures: globSync('fixtures/**/*', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .toSorted(),
  };
}

const isPassed = (module: TestModule) => module.state() === 'passed';

/**
 * Fails a run in which all tests of a plugin passed but did not prove the claims of its `quality.json`. Skips a plugin
 * of which only some tests ran.
 */
export default class QualityReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const vitest = this.#vitest;
    if (vitest === undefined || vitest.config.testNamePattern !== undefined) return;
    const files = await this.#testFiles(vitest.projects);
    const root = vitest.config.root;
    for (const folder of new Set(modules.map(({ moduleId }) => pluginFolderOf(moduleId)))) {
      if (folder === undefined) continue;
      const isInFolder = (file: string) => file.startsWith(`${folder}/`);
      const own = modules.filter(({ moduleId }) => isInFolder(moduleId));
      const ran = new Set(own.map(({ moduleId }) => moduleId));
      const isWhole = files.filter(isInFolder).every((file) => ran.has(file));
      if (!isWhole || !own.every(isPassed)) continue;
      for (const claim of unprovenClaims(claimsOf(root, folder), evidenceOf(folder, own))) {
        console.error(claim);
        process.exitCode = 1;
      }
    }
  }

  async #testFiles(projects: readonly TestProject[]): Promise<readonly string[]> {
    const found = await Promise.all(projects.map((project) => project.globTestFiles()));
    return found.flatMap(({ testFiles }) => testFiles);
  }
}
