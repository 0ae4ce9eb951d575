import { type HostApp, RouteModule } from '@waiver-service/http';
import { documentStyleSource } from '@waiver-service/signing';
import { ContainerModule } from 'inversify';
import { serveBuiltPages } from './built-pages.ts';

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
