import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule, TestProject, Vitest } from 'vitest/node';
import { evidenceOf } from './plugin-evidence.ts';
import { type ClaimingPlugin, unprovenClaims } from './unproven-claims.ts';

function claimsOf(root: string, folder: string): ClaimingPlugin {
  const quality: { readonly rules: Readonly<Record<string, { readonly state: string }>> } = JSON.parse(
    readFileSync(join(folder, 'quality.json'), 'utf8'),
  );
  const done = Object.entries(quality.rules).filter(([, { state }]) => state === 'done');
  return {
    folder: relative(root, folder),
    done: new Set(done.map(([rule]) => rule)),
    fixtures: globSync('fixtures/**/*', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .toSorted(),
  };
}

const isPassed = (module: TestModule) => module.state() === 'passed';

/**
 * Fails a run in which all tests of a plugin passed, and did not prove what its `quality.json` says. Says nothing of a
 * plugin of which only some tests ran.
 */
export default class PluginQualityReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const vitest = this.#vitest;
    if (vitest === undefined || vitest.config.testNamePattern !== undefined) return;
    for (const project of vitest.projects) {
      const folder = project.config.root;
      if (!existsSync(join(folder, 'quality.json'))) continue;
      const own = modules.filter((module) => module.project === project);
      if (!own.every(isPassed) || !(await this.#isWhole(project, own))) continue;
      for (const claim of unprovenClaims(claimsOf(vitest.config.root, folder), evidenceOf(folder, own))) {
        console.error(claim);
        process.exitCode = 1;
      }
    }
  }

  async #isWhole(project: TestProject, modules: readonly TestModule[]): Promise<boolean> {
    const { testFiles } = await project.globTestFiles();
    const ran = new Set(modules.map(({ moduleId }) => moduleId));
    return testFiles.length > 0 && testFiles.every((file) => ran.has(file));
  }
}
