import { dirname, join } from 'node:path';
import type { SourceFile, Workspace } from './workspace.ts';

/** The files of one circle of imports that begins and ends with a file; undefined if there is none through it. */
function circleThrough(
  path: string,
  importsOf: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [path];
  for (const file of queue) {
    for (const target of importsOf.get(file) ?? []) {
      if (target === path) {
        const circle = [file];
        for (let at = file; at !== path; ) {
          at = cameFrom.get(at) ?? path;
          circle.unshift(at);
        }
        return circle;
      }
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, file);
      queue.push(target);
    }
  }
  return undefined;
}

/** Circles of imports. In one, a decorator finds an identifier that is not defined yet, and no file can be read first. */
export function findImportCircles(workspace: Workspace): string[] {
  const files = workspace.packages
    .flatMap((one): readonly SourceFile[] => one.files)
    .filter(({ path }) => !path.includes('/test/'));
  const importsOf = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.filter((module) => module.startsWith('.')).map((module) => join(dirname(path), module)),
    ]),
  );
  const found = files
    .map(({ path }) => circleThrough(path, importsOf))
    .filter((circle) => circle !== undefined);
  const circles = new Map(found.toReversed().map((circle) => [circle.toSorted().join(), circle]));
  return [...circles.values()].map((circle) => `${[...circle, circle[0]].join(' → ')}: a circle of imports`);
}
