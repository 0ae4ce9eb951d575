import { ContainerModule } from 'inversify';
import { Outbound } from '../given.ts';
import { RouteModule } from '../http/host-app.ts';
import { HostSettings } from '../settings/host-settings.ts';
import { IssuerRoutes } from '../sign-in/issuer-routes.ts';
import { createIssuerSignIn, IssuerSignIn } from '../sign-in/issuer-sign-in.ts';
import { serveConsoleFiles } from './console-files.ts';
import { SessionRoutes } from './session-routes.ts';

/** The console, and signing in to it. */
export const consoleModule = new ContainerModule(({ bind }) => {
  bind(IssuerSignIn).toResolvedValue(
    ({ signInIssuer }: HostSettings, outbound: Outbound) => createIssuerSignIn(signInIssuer, outbound),
    [HostSettings, Outbound],
  );
  bind(RouteModule).toConstantValue({ addRoutes: serveConsoleFiles });
  bind(RouteModule).to(SessionRoutes);
  bind(RouteModule).to(IssuerRoutes);
});
