import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

/** One version of a package, as the registry serves it. */
export interface ServedPackage {
  readonly name: string;
  readonly version: string;
  /** Its package.json, or the part that npm needs to install it. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** The tarball's hash, if known before the tarball is made. */
  readonly integrity?: string | undefined;
  openTarball(): Readable;
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({ name: z.string().optional(), version: z.string().optional() }),
  ),
});

const modules = 'node_modules/';

// npm accepts an uncompressed tarball, whatever its top folder is called.
function openTarball(folder: string): Readable {
  const tar = spawn('tar', ['-c', '-C', dirname(folder), '--exclude', 'node_modules', basename(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return tar.stdout;
}

/**
 * Every package in package-lock.json from outside the workspace, as installed in `node_modules`: packages created
 * outside can be installed without a network, in the versions tested here.
 */
export function lockedPackages(root: string): ServedPackage[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return Object.entries(packages).flatMap(([path, { name, version, ...manifest }]) => {
    const start = path.lastIndexOf(modules);
    if (start < 0 || version === undefined) return [];
    const installedAs = path.slice(start + modules.length);
    return [
      { name: name ?? installedAs, version, manifest, openTarball: () => openTarball(join(root, path)) },
    ];
  });
}

/** An npm registry on this machine. */
interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

const pathOf = ({ name, version }: ServedPackage) => `/${name}/-/${version}.tgz`;

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** All versions of a package, in npm's metadata format. */
function describePackage(versions: readonly ServedPackage[], url: string): object {
  const [latest] = versions;
  return {
    name: latest?.name,
    'dist-tags': { latest: latest?.version },
    versions: Object.fromEntries(
      versions.map((one) => {
        const { name, version, manifest, integrity } = one;
        const dist = { tarball: `${url}${pathOf(one)}`, integrity };
        return [version, { ...manifest, name, version, dist }];
      }),
    ),
  };
}

/**
 * Starts a registry on 127.0.0.1 for npm's create and install, with no other packages than these. Of several versions of
 * a package, the first one is its latest.
 */
export async function startRegistry(packages: readonly ServedPackage[]): Promise<Registry> {
  const byName = Map.groupBy(packages, ({ name }) => name);
  const byPath = new Map(packages.map((one) => [pathOf(one), one]));
  let url = '';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url ?? '/', url).pathname);
    const versions = byName.get(path.slice(1));
    const wanted = byPath.get(path);
    if (wanted !== undefined) await pipeline(wanted.openTarball(), response);
    else if (versions !== undefined) sendJson(response, 200, describePackage(versions, url));
    else sendJson(response, 404, { error: `there is no ${path} here` });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the registry has no TCP address');
  url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
