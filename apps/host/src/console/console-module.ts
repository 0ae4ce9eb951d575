import { type HostApp, RouteModule } from '@waiver-service/http';
import { ContainerModule } from 'inversify';
import { documentStyleSource } from '../documents/document-page.ts';
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

/** The console's pages. */
export const consoleModule = new ContainerModule(({ bind }) => {
  bind(RouteModule).toConstantValue({ addRoutes: serveConsoleFiles });
});
