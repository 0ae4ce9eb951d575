import { isDeepStrictEqual } from 'node:util';
import { detectForm, installedAccountSchema } from '@waiver-service/plugin-kit';
import { type Examination, type ExaminedPlugin, type RuleName, ruleNames } from './examined-plugin.ts';

/** The headings that every plugin's README has. */
export const readmeHeadings = [
  '## What it speaks',
  '## Settings',
  '## Account information',
  '## What it writes back',
  '## Inbound calls',
  '## Source of each mapping',
];

/** The part of a rule that a program can check without running the plugin. */
interface Rule {
  /** Sentences that say what is missing for `done`. */
  missing(plugin: ExaminedPlugin): string[];
  /** A feature of the plugin that makes `exempt` untrue. */
  untrueExemption?(plugin: ExaminedPlugin): string | undefined;
}

type Form = ExaminedPlugin['manifest']['capabilities']['forms'][number];

// Common to all installations and described by the contract.
const installedKeys: ReadonlySet<string> = new Set(Object.keys(installedAccountSchema.shape));

const sayIf = (is: boolean, sentence: string): string[] => (is ? [sentence] : []);

const isNative = ({ manifest }: ExaminedPlugin) => manifest.capabilities.forms.includes('native');

function hasFixtureOf({ manifest, fixtures }: ExaminedPlugin, form: Form): boolean {
  const { forms } = manifest.capabilities;
  return fixtures.some(({ body }) => {
    const found = detectForm(body);
    return found !== undefined && forms.includes(found) ? found === form : form === 'native';
  });
}

function textBelow(readme: string, heading: string): string {
  const [, below = ''] = readme.split(`\n${heading}\n`);
  return (below.split('\n## ')[0] ?? '').trim();
}

/** Checks of `quality.json` that run no tests; the contract suite's `quality/quality-reporter.ts` has the others. */
const rules: Readonly<Partial<Record<RuleName, Rule>>> = {
  fixtures: {
    missing: (plugin) => [
      ...plugin.manifest.capabilities.forms
        .filter((form) => !hasFixtureOf(plugin, form))
        .map((form) => `there is no body of the form ${form} in fixtures/`),
      ...plugin.fixtures.filter(({ body }) => body === undefined).map(({ path }) => `${path} is not JSON`),
    ],
  },
  'write-back': {
    missing: ({ manifest }) =>
      sayIf(!manifest.capabilities.guestUpdate, 'capabilities.guestUpdate is false: it writes nothing'),
    untrueExemption: ({ manifest }) =>
      manifest.capabilities.guestUpdate ? 'capabilities.guestUpdate is true' : undefined,
  },
  void: {
    missing: ({ manifest }) =>
      sayIf(!manifest.capabilities.void, 'capabilities.void is false: a voided waiver stays there'),
    untrueExemption: ({ manifest }) => (manifest.capabilities.void ? 'capabilities.void is true' : undefined),
  },
  inbound: {
    missing: ({ manifest }) =>
      sayIf(manifest.capabilities.inbound === 'none', 'capabilities.inbound is none: no call of its is read'),
    untrueExemption: ({ manifest: { capabilities } }) =>
      capabilities.inbound === 'none' ? undefined : `capabilities.inbound is ${capabilities.inbound}`,
  },
  'settings-documented': {
    missing: ({ settings, account, readme }) =>
      [
        ...settings.map((field) => ({ ...field, schema: 'settingsSchema' })),
        ...account.map((field) => ({ ...field, schema: 'accountSchema' })),
      ].flatMap(({ key, description, schema }) => [
        ...sayIf(!description, `${key} of ${schema} has no description: give it .describe(…)`),
        ...sayIf(!readme.includes(`\`${key}\``), `README.md does not name \`${key}\` of ${schema}`),
      ]),
    untrueExemption: ({ settings, account }) => {
      const own = [...settings, ...account].map(({ key }) => key).filter((key) => !installedKeys.has(key));
      return own.length > 0 ? `it has ${own.join(', ')}` : undefined;
    },
  },
  limits: {
    missing: ({ manifest }) =>
      sayIf(manifest.capabilities.requestLimits === undefined, 'capabilities.requestLimits is not declared'),
    untrueExemption: ({ manifest }) =>
      manifest.capabilities.requestLimits ? 'capabilities.requestLimits is declared' : undefined,
  },
  'real-http-test': {
    missing: (plugin) =>
      sayIf(
        isNative(plugin) && !plugin.hasJourney,
        'there is no test/journey.ts, by which a test of the host runs it against its simulator',
      ),
  },
  readme: {
    missing: (plugin) => [
      ...readmeHeadings
        .filter((heading) => textBelow(plugin.readme, heading) === '')
        .map((heading) => `README.md says nothing under "${heading}"`),
      ...sayIf(/\bTODO\b/.test(plugin.readme), 'README.md has a TODO'),
      ...sayIf(
        isNative(plugin) && !/live system/i.test(plugin.readme),
        'README.md does not say whether it was checked against a live system',
      ),
    ],
  },
};

function ruleProblems(plugin: ExaminedPlugin): string[] {
  return ruleNames.flatMap((name) => {
    const { state } = plugin.rules[name];
    if (state === 'done') {
      const missing = rules[name]?.missing(plugin) ?? [];
      return missing.map(
        (sentence) => `${plugin.folder}: quality.json says that ${name} is done, but ${sentence}`,
      );
    }
    const had = state === 'exempt' ? rules[name]?.untrueExemption?.(plugin) : undefined;
    return had === undefined
      ? []
      : [`${plugin.folder}: quality.json says that ${name} is exempt, but ${had}: make it done or todo`];
  });
}

function nameProblems({ folder, manifest }: ExaminedPlugin): string[] {
  if (`plugins/${manifest.installName}` === folder) return [];
  return [`${folder}: its installName is ${manifest.installName}; it must be the name of its folder`];
}

function tierProblems({ folder, tier, readme, manifest: { tier: declared = 'documents' } }: ExaminedPlugin) {
  const problems: string[] = [];
  if (!isDeepStrictEqual(tier, declared)) {
    problems.push(
      `${folder}: quality.json has the tier ${JSON.stringify(tier)}, but src/index.ts, by which the console shows it, has ${JSON.stringify(declared)}`,
    );
  }
  if (typeof tier === 'object' && /not verified against a live system/i.test(readme)) {
    problems.push(
      `${folder}: quality.json says that it is seen live since ${tier.liveSince}, but README.md says that it is not verified against a live system`,
    );
  }
  return problems;
}

/** Claims in plugins' `quality.json` that are evidently untrue. */
export function findQualityProblems(examinations: readonly Examination[]): string[] {
  return examinations.flatMap((examination) =>
    'problems' in examination
      ? examination.problems
      : [
          ...nameProblems(examination.plugin),
          ...tierProblems(examination.plugin),
          ...ruleProblems(examination.plugin),
        ],
  );
}
