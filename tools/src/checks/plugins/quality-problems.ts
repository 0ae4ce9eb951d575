import { isDeepStrictEqual } from 'node:util';
import type { Examination, ExaminedPlugin } from './examined-plugin.ts';
import { ruleNames } from './quality-file.ts';
import { rules } from './rules.ts';

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
