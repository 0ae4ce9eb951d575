import 'reflect-metadata';
import { AlertsSettings, alertsModule } from '@waiver-service/alerts';
import { dayBoardModule } from '@waiver-service/day-board';
import { guestDataModule } from '@waiver-service/guest-data';
import {
  integrationModule,
  ListenError,
  type ServedModules,
  type ServedParts,
  serveModules,
} from '@waiver-service/integration';
import { invitationsModule } from '@waiver-service/invitations';
import { kioskModule } from '@waiver-service/kiosk';
import { operationsModule, overviewModule, Readiness } from '@waiver-service/operations';
import type { Tracing } from '@waiver-service/operations/tracing';
import { AdminToken, PeopleSettings, peopleModule } from '@waiver-service/people';
import { SigningSettings, signingModule } from '@waiver-service/signing';
import { ContainerModule } from 'inversify';
import { pagesModule } from '../console/console-module.ts';
import { hostVersion } from '../host-package.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { listenProblem } from '../settings/start-problem.ts';

/** Created before the features are loaded, because the start awaits them, or fails without them. */
export interface GivenServices
  extends Pick<ServedParts, 'store' | 'log' | 'faults' | 'plugins' | 'closeLater'> {
  readonly settings: HostSettings;
  readonly adminToken: AdminToken;
  readonly tracing: Tracing;
}

const settingsModule = ({ settings, adminToken }: GivenServices) =>
  new ContainerModule(({ bind }) => {
    bind(SigningSettings).toConstantValue(settings);
    bind(AlertsSettings).toConstantValue(settings);
    bind(PeopleSettings).toConstantValue(settings);
    bind(AdminToken).toConstantValue(adminToken);
  });

/** The composition root: a host of all features. */
export async function serveFeatures(
  given: GivenServices,
): Promise<ServedModules & { readonly readiness: Readiness }> {
  const serving = serveModules({
    ...given,
    version: hostVersion(),
    // Also the order of the routes in the OpenAPI document.
    modules: [
      settingsModule(given),
      operationsModule,
      peopleModule,
      alertsModule,
      integrationModule(given.plugins),
      signingModule,
      kioskModule,
      dayBoardModule,
      invitationsModule,
      overviewModule,
      guestDataModule,
      pagesModule,
    ],
  });
  const served = await serving.catch((error: unknown) => {
    throw error instanceof ListenError ? listenProblem(error) : error;
  });
  return { ...served, readiness: served.container.get(Readiness) };
}
