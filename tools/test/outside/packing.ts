import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { repository, runIn } from './run.ts';

/** The packages that are for people outside: what a plugin is written and tested with. */
export const publishedPackages = ['core', 'outbound', 'plugin-kit', 'contract-suite', 'simulator'];

/** A package as `npm publish` would send it. */
export interface PackedPackage {
  readonly name: string;
  readonly tarball: string;
  /** The files in it, from its top. */
  readonly files: readonly string[];
}

const packedSchema = z.array(
  z.object({ name: z.string(), filename: z.string(), files: z.array(z.object({ path: z.string() })) }),
);

/** Packs packages with npm, into tarballs in a folder. */
export async function pack(
  into: string,
  from: string,
  workspaces: readonly string[] = [],
): Promise<PackedPackage[]> {
  mkdirSync(into, { recursive: true });
  const chosen = workspaces.flatMap((workspace) => ['-w', workspace]);
  const { status, stdout, output } = await runIn(
    from,
    'npm',
    'pack',
    '--json',
    '--pack-destination',
    into,
    ...chosen,
  );
  if (status !== 0) throw new Error(output);
  return packedSchema.parse(JSON.parse(stdout)).map(({ name, filename, files }) => ({
    name,
    tarball: join(into, filename),
    files: files.map(({ path }) => path),
  }));
}

/** Unpacks a package into a `node_modules`, as npm installs it. */
export async function install(modules: string, { name, tarball }: PackedPackage): Promise<void> {
  const folder = join(modules, name);
  mkdirSync(folder, { recursive: true });
  const { status, output } = await runIn(folder, 'tar', '-xzf', tarball, '--strip-components=1');
  if (status !== 0) throw new Error(output);
}

/** Links a package of somebody else, in the version that a package of ours has. */
export function link(modules: string, name: string, owner: string): void {
  const places = [join(repository, owner, 'node_modules', name), join(repository, 'node_modules', name)];
  const place = places.find((one) => existsSync(one));
  if (place === undefined) throw new Error(`${name} is not installed`);
  const target = join(modules, name);
  mkdirSync(dirname(target), { recursive: true });
  if (!existsSync(target)) symlinkSync(place, target);
}
