import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Workspace } from './workspace.ts';

const permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));
const environment = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

const stepSchema = z.union([
  z.strictObject({
    uses: z.string(),
    with: environment.optional(),
    if: z.string().optional(),
  }),
  z.strictObject({ run: z.string(), env: environment.optional(), if: z.string().optional() }),
]);

const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.enum(['read', 'none']), 'grant what a job writes to that job'),
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.unknown() }).optional(),
  jobs: z.record(
    z.string(),
    z.strictObject({
      if: z.string().optional(),
      needs: z.union([z.string(), z.array(z.string())]).optional(),
      strategy: z
        .strictObject({ 'fail-fast': z.boolean().optional(), matrix: z.record(z.string(), z.unknown()) })
        .optional(),
      'runs-on': z.string().regex(/^(?!.*-latest$)/, 'name a version of the image'),
      'timeout-minutes': z.number(),
      environment: z.string().optional(),
      permissions: permissions.optional(),
      steps: z.array(stepSchema).min(1),
    }),
  ),
});

type Workflow = z.infer<typeof workflowSchema>;

function jobProblems({ jobs }: Workflow, scripts: ReadonlySet<string>): string[] {
  return Object.entries(jobs).flatMap(([name, { needs = [], steps }]) => {
    const missing = [needs].flat().filter((needed) => !(needed in jobs));
    return [
      ...missing.map((needed) => `${name} needs ${needed}, which is no job`),
      ...steps.flatMap((step) => {
        if ('uses' in step) return [];
        const unknown = [...step.run.matchAll(/npm run ([\w:-]+)/g)].filter(
          ([, script = '']) => !scripts.has(script),
        );
        return [
          ...unknown.map(([command]) => `${name} runs ${command}, which package.json has not`),
          // An expression in a script is pasted before the shell parses it: a branch's name could be a command.
          ...(step.run.includes('${{') ? [`${name} has an expression in a script: pass it by env`] : []),
        ];
      }),
    ];
  });
}

const pinned = /^\s*-? *uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/** Workflows that GitHub would refuse, that use an action by a name that can move, or that may do more than they need. */
export function findWorkflowProblems({ root }: Pick<Workspace, 'root'>): string[] {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  return globSync('.github/workflows/*.yml', { cwd: root })
    .toSorted()
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const unpinned = text.split('\n').filter((line) => /^\s*-? *uses:/.test(line) && !pinned.test(line));
      const problems = unpinned.map(
        (line) => `${line.trim()}: pin it by a commit, with the version as a comment`,
      );
      const workflow = workflowSchema.safeParse(parse(text));
      const others = workflow.success
        ? jobProblems(workflow.data, new Set(Object.keys(scripts)))
        : workflow.error.issues.map(({ path: place, message }) => `${place.join('.')}: ${message}`);
      return [...problems, ...others].map((problem) => `${path}: ${problem}`);
    });
}
