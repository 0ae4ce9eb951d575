import type { RanScenario } from '../evidence.ts';
import type { PluginEvidence } from './plugin-evidence.ts';

/** A plugin's claims, and facts known without running it. */
export interface ClaimingPlugin {
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
