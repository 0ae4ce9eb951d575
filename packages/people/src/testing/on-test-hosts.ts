import { ContainerModule } from 'inversify';
import { AdminToken } from '../authentication/identify-callers.ts';
import { peopleModule } from '../people-module.ts';
import { PeopleSettings } from '../sign-in/sign-in-settings.ts';

/** What a host has that knows people. */
export const peopleOnTestHosts = (
  adminToken: AdminToken,
  signInIssuer?: PeopleSettings['signInIssuer'],
): ContainerModule[] => [
  new ContainerModule(({ bind }) => {
    bind(AdminToken).toConstantValue(adminToken);
    bind(PeopleSettings).toConstantValue({ signInIssuer });
  }),
  peopleModule,
];
