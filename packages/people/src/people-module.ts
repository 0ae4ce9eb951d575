import { RequestWatcher, RouteModule } from '@waiver-service/http';
import { Authentication, Outbound, Store } from '@waiver-service/integration';
import { ContainerModule } from 'inversify';
import { RequestAudit } from './audit/audit-requests.ts';
import { AuditRoute } from './audit/audit-route.ts';
import { AdminSeal, CallerIdentification } from './authentication/identify-callers.ts';
import { meRoute, PersonRoutes } from './authentication/person-routes.ts';
import { openPeopleStore, PeopleStore } from './data/people-store.ts';
import { createIssuerSignIn, IssuerSignIn } from './sign-in/issuer-client.ts';
import { IssuerRoutes } from './sign-in/issuer-routes.ts';
import { SessionRoutes } from './sign-in/session-routes.ts';
import { PeopleSettings } from './sign-in/sign-in-settings.ts';

/** The people who operate the service: their credentials, sessions and sign-in, and the audit log. */
export const peopleModule = new ContainerModule(({ bind }) => {
  bind(PeopleStore).toResolvedValue(openPeopleStore, [Store]);
  bind(AdminSeal).toSelf();
  bind(RequestAudit).toSelf();
  bind(CallerIdentification).toSelf();
  bind(RequestWatcher).toService(RequestAudit);
  bind(Authentication).toService(CallerIdentification);
  bind(IssuerSignIn).toResolvedValue(
    ({ signInIssuer }: PeopleSettings, outbound: Outbound) => createIssuerSignIn(signInIssuer, outbound),
    [PeopleSettings, Outbound],
  );
  bind(RouteModule).toConstantValue({ addRoutes: meRoute });
  bind(RouteModule).to(PersonRoutes);
  bind(RouteModule).to(AuditRoute);
  bind(RouteModule).to(SessionRoutes);
  bind(RouteModule).to(IssuerRoutes);
});
