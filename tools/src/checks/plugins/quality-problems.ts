import type { Examination, ExaminedPlugin } from './examined-plugin.ts';
import { ruleNames } from './quality-file.ts';
import { rules } from './rules.ts';

const mostSourceLines = 300;

function ruleProblems(plugin: ExaminedPlugin): string[] {
  return ruleNames.flatMap((name) => {
    const { state } = plugin.rules[name];
    if (state === 'done') {
      return rules[name]
        .missing(plugin)
        .map((missing) => `${plugin.folder}: quality.json says that ${name} is done, but ${missing}`);
    }
    const had = state === 'exempt' ? rules[name].untrueExemption?.(plugin) : undefined;
    return had === undefined
      ? []
      : [`${plugin.folder}: quality.json says that ${name} is exempt, but ${had}: make it done or todo`];
  });
}

function plainProblems({ folder, manifest, sources }: ExaminedPlugin): string[] {
  const lines = sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  const problems: string[] = [];
  if (lines > mostSourceLines) {
    problems.push(`${folder}: has ${lines} lines of source (${mostSourceLines} at most for a plugin)`);
  }
  if (`plugins/${manifest.installName}` !== folder) {
    problems.push(`${folder}: its installName is ${manifest.installName}; it must be the name of its folder`);
  }
  return problems;
}

/** What plugins say of themselves in `quality.json` and a program can see to be otherwise. */
export function findQualityProblems(examinations: readonly Examination[]): string[] {
  return examinations.flatMap((examination) =>
    'problems' in examination
      ? examination.problems
      : [...plainProblems(examination.plugin), ...ruleProblems(examination.plugin)],
  );
}
