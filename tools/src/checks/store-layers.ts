import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SourceFile, Workspace } from './workspace.ts';

const source = 'packages/store/src';
const readme = 'packages/store/README.md';

/** Upward imports in packages/store. Its README lists the layers: folders, and files beside them. */
export function findStoreLayerProblems({ root, packages }: Workspace): string[] {
  const files = packages.flatMap((each) => (each.folder === 'packages/store' ? each.files : []));
  return storeLayerProblems(readFileSync(join(root, readme), 'utf8'), files);
}

const layerOf = (path: string) => path.slice(`${source}/`.length).split('/')[0] ?? '';

/** @param page - the README, whose table lists the layers from the bottom */
export function storeLayerProblems(
  page: string,
  files: readonly Pick<SourceFile, 'path' | 'imports'>[],
): string[] {
  const listed = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
  const sources = files.filter(({ path }) => path.startsWith(`${source}/`));
  const found = new Set(sources.map(({ path }) => layerOf(path)));
  const upward = sources.flatMap(({ path, imports }) =>
    imports.flatMap((module) => {
      if (!module.startsWith('.')) return [];
      const [from, to] = [layerOf(path), layerOf(join(dirname(path), module))];
      if (listed.indexOf(to) <= listed.indexOf(from)) return [];
      return `${path}: imports "${module}", but ${to} is a layer above ${from}; ${readme} lists the layers from the bottom`;
    }),
  );
  return [
    ...upward,
    ...listed
      .filter((name) => !found.has(name))
      .map((name) => `${readme}: lists the layer ${name}, which is not in ${source}`),
    ...[...found]
      .filter((name) => !listed.includes(name))
      .map((name) => `${readme}: does not list the layer ${name}`),
  ];
}
