import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ServedPackage } from './served-package.ts';

export interface RegistryOptions {
  /** Of several versions of a package, the first one is its latest. */
  readonly packages: readonly ServedPackage[];
  /** Default: any free port. */
  readonly port?: number;
  /** The registry to which npm is redirected for any other package. Default: none, so there are no others. */
  readonly upstream?: string;
}

/** An npm registry on this machine. */
export interface Registry {
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

/** Starts a registry on 127.0.0.1 for npm's create and install. Nothing can be published to it. */
export async function startRegistry({ packages, port = 0, upstream }: RegistryOptions): Promise<Registry> {
  const byName = Map.groupBy(packages, ({ name }) => name);
  const byPath = new Map(packages.map((one) => [pathOf(one), one]));
  let url = '';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url ?? '/', url).pathname);
    const versions = byName.get(path.slice(1));
    const wanted = byPath.get(path);
    if (wanted !== undefined) await pipeline(wanted.openTarball(), response);
    else if (versions !== undefined) sendJson(response, 200, describePackage(versions, url));
    else if (upstream === undefined) sendJson(response, 404, { error: `there is no ${path} here` });
    else response.writeHead(307, { location: new URL(`.${request.url}`, upstream).href }).end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.listen(port, '127.0.0.1');
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
