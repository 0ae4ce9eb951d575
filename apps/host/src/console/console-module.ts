import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { type HostApp, nothingHere, RouteModule } from '@waiver-service/http';
import { documentStyleSource } from '@waiver-service/signing';
import { ContainerModule } from 'inversify';

/** Pages that a workspace package builds into its `dist`. */
interface BuiltPages {
  /** The package's name. */
  readonly name: string;
  /** Where they are served, such as `/console`. */
  readonly path: string;
  /** For the document, whose scripts, styles and calls are only this host's. */
  readonly contentPolicy: string;
  /** Other policies, by address below the path. */
  readonly otherPolicies?: Readonly<Record<string, string>>;
  /** The npm script that builds them. */
  readonly script: string;
}

const dayS = 86_400;

/** For scripts that run beside the page, such as a service worker. */
const workerPolicy = "default-src 'none'; connect-src 'self'";

/** The name of a file in `assets` contains a hash of its content. */
const cacheControlOf = (path: string) =>
  path.includes('/assets/') ? `public, max-age=${365 * dayS}, immutable` : 'no-cache';

/** Serves built pages: every address below their path has the same document, which renders it. */
async function serveBuiltPages(
  app: HostApp,
  { name, path, contentPolicy, otherPolicies = {}, script }: BuiltPages,
): Promise<void> {
  const folder = fileURLToPath(new URL('dist', import.meta.resolve(`${name}/package.json`)));
  if (!existsSync(folder)) {
    app.log.warn(`The pages of ${path} are not built, so it answers 404: npm run ${script} builds them.`);
    return;
  }
  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public', isPageFile: true };
      route.schema = { ...route.schema, hide: true };
    });
    await files.register(fastifyStatic, {
      root: folder,
      serve: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, file) {
        reply.header('cache-control', cacheControlOf(file));
      },
    });
    files.get(path, (_request, reply) => reply.redirect(`${path}/`));
    for (const [address, policy] of Object.entries({ '*': contentPolicy, ...otherPolicies })) {
      files.get(`${path}/${address}`, (_request, reply) =>
        reply
          .headers({ 'content-security-policy': policy, 'cross-origin-opener-policy': 'same-origin' })
          .sendFile('index.html'),
      );
    }
    // Files without a hash in their names.
    for (const file of readdirSync(folder).filter((name) => /\.(js|svg|webmanifest)$/.test(name))) {
      files.get(`${path}/${file}`, (_request, reply) =>
        reply.header('content-security-policy', workerPolicy).sendFile(file),
      );
    }
    // Only the build's own file names, so that no path leads elsewhere.
    const assets = new Set(readdirSync(join(folder, 'assets')));
    files.get<{ Params: { file: string } }>(`${path}/assets/:file`, async ({ params: { file } }, reply) => {
      if (!assets.has(file)) throw nothingHere();
      return reply.sendFile(`assets/${file}`);
    });
  });
}

// Only this host's scripts, styles and calls; nothing inline, and no framing by other sites. A signing's document,
// which the console opens in a tab, inherits this policy: hence the document's style and `data:` images.
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${documentStyleSource}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  // The check-in page, to preview a form.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the built console under `/console`. */
const serveConsoleFiles = (app: HostApp): Promise<void> =>
  serveBuiltPages(app, {
    name: '@waiver-service/console',
    path: '/console',
    contentPolicy,
    script: 'build:console',
  });

// Like the console's; `blob:` shows photos before they are sent.
const policyWith = (connect: string, ancestors: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${connect}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');

/** Serves the page on which guests sign under `/check-in`. The document is the same for every link. */
const serveCheckInPage = (app: HostApp): Promise<void> =>
  serveBuiltPages(app, {
    name: '@waiver-service/check-in',
    path: '/check-in',
    contentPolicy: policyWith("'self'", "'none'"),
    // The console previews a draft in it. It may make no requests, so nothing can be signed there.
    otherPolicies: { preview: policyWith("'none'", "'self'") },
    script: 'build:check-in',
  });

/** The pages for people and guests. */
export const pagesModule = new ContainerModule(({ bind }) => {
  bind(RouteModule).toConstantValue({ addRoutes: serveConsoleFiles });
  bind(RouteModule).toConstantValue({ addRoutes: serveCheckInPage });
});
