import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlantedArea } from '../mutants/planted/planted-fault.ts';

/** Planted faults whose source text has changed or whose tests are gone: the mutation run could not use them. */
export function findStaleFaults(root: string, areas: readonly PlantedArea[]): string[] {
  return areas.flatMap(({ project, faults }) => {
    const tests = globSync(`{packages,plugins,apps}/${project}/test/**/*.test.ts`, { cwd: root });
    return faults.flatMap(({ title, file, find, noticedBy }) => {
      const problems = noticedBy
        .filter((filter) => !tests.some((path) => path.includes(filter)))
        .map((filter) => `planted fault "${title}": no test file of ${project} matches ${filter}`);
      const path = join(root, file);
      const found = existsSync(path) ? readFileSync(path, 'utf8').split(find).length - 1 : 0;
      if (found !== 1)
        problems.push(
          `planted fault "${title}": its text is ${found} times in ${file}, not once; update the fault`,
        );
      return problems;
    });
  });
}
