import { ContainerModule } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { using } from '../container/using.ts';
import { issuerRoutes } from '../sign-in/issuer-routes.ts';
import { createIssuerSignIn } from '../sign-in/issuer-sign-in.ts';
import { serveConsoleFiles } from './console-files.ts';
import { sessionRoutes } from './session-routes.ts';

/** The console, and signing in to it. */
export const consoleModule = new ContainerModule(({ bind }) => {
  bind(tokens.issuer).toResolvedValue(
    ...using(['settings', 'outbound'], ({ settings, outbound }) =>
      createIssuerSignIn(settings.signInIssuer, outbound),
    ),
  );
  for (const addRoutes of [serveConsoleFiles, sessionRoutes, issuerRoutes])
    bind(tokens.routes).toConstantValue(addRoutes);
});
