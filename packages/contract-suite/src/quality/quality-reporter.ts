import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Reporter, TestModule, TestProject, Vitest } from 'vitest/node';
import type { RanScenario } from '../evidence.ts';
import { evidenceOf, type PluginEvidence, pluginFolderOf } from './plugin-evidence.ts';

/** A plugin's claims, and facts known without running it. */
interface ClaimingPlugin {
  /** As messages name it: `plugins/octo`. */
  readonly folder: string;
  /** The rules that its `quality.json` claims are done. */
  readonly done: ReadonlySet<string>;
  /** The files in `fixtures/`, relative to the plugin's folder. */
  readonly fixtures: readonly string[];
}

// Some branches handle answers that no test can produce, such as a default for a text that is never absent.
const maxUnrunShare = 0.01;
const maxListed = 5;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function listed(texts: readonly string[]): string {
  const rest = texts.length - maxListed;
  return texts.slice(0, maxListed).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** For each rule, sentences that say what no test has shown; none if the rule is proven. */
const proofs: Readonly<
  Record<string, (plugin: ClaimingPlugin, evidence: PluginEvidence) => readonly string[]>
> = {
  fixtures({ fixtures }, { fixtures: read }) {
    const unread = fixtures.filter((path) => !read.has(path));
    return unread.length === 0 ? [] : [`no test read ${listed(unread)}`];
  },

  'error-mapping'(_plugin, { clauses, scenarios }) {
    if (!clauses.has('error/500'))
      return ['no test called runContractSuite, whose clauses hold it to errors'];
    const isNative = clauses.has('native/bodies');
    return isNative && !hasScenario(scenarios, 'refusal', 'judged')
      ? ['no scenario among `refusals` or `judged` has the vendor’s own words for what went wrong']
      : [];
  },

  'write-back'(_plugin, { clauses, scenarios }) {
    return clauses.has('guest-update/body') || hasScenario(scenarios, 'guest-update')
      ? []
      : ['no clause of the contract suite saw it write a waiver'];
  },

  void(_plugin, { clauses, scenarios }) {
    return clauses.has('guest-update/void') || hasScenario(scenarios, 'void')
      ? []
      : ['no scenario among `guestUpdates` is a void that was accepted'];
  },

  inbound(_plugin, { clauses, scenarios }) {
    return clauses.has('native/bodies') && !hasScenario(scenarios, 'inbound')
      ? ['no scenario among `inbound` was read']
      : [];
  },

  traps: (_plugin, { trapTests, unrun, unrunShare }) => [
    ...(trapTests > 0 ? [] : ['no test of test/traps.test.ts passed']),
    ...(unrunShare <= maxUnrunShare
      ? []
      : [`no test ran ${percent(unrunShare)} of its code: ${listed(unrun)}`]),
  ],

  'real-http-test': (_plugin, { isSimulatorAsked }) =>
    isSimulatorAsked ? [] : ['no test called a simulated vendor over HTTP'],
};

function hasScenario(scenarios: readonly RanScenario[], ...kinds: readonly RanScenario['kind'][]): boolean {
  return scenarios.some(({ kind }) => kinds.includes(kind));
}

/** The claims of a plugin's `quality.json` that its tests did not prove, although all of them ran. */
export function unprovenClaims(plugin: ClaimingPlugin, evidence: PluginEvidence): string[] {
  return Object.entries(proofs)
    .filter(([rule]) => plugin.done.has(rule))
    .flatMap(([rule, missing]) =>
      missing(plugin, evidence).map(
        (sentence) => `${plugin.folder}: quality.json says that ${rule} is done, but ${sentence}`,
      ),
    );
}

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
