import { RouteModule } from '@waiver-service/http';
import { Store } from '@waiver-service/integration';
import { ContainerModule } from 'inversify';
import { AlertRoutes } from './alert-routes.ts';
import { AlertsSettings } from './alerts-settings.ts';
import { AlertStore, openAlertStore } from './data/alert-store.ts';
import { createMailer, Mailer } from './mailer.ts';

/** Alerts to operators of what the store reports. */
export const alertsModule = new ContainerModule(({ bind }) => {
  bind(AlertStore).toResolvedValue(openAlertStore, [Store]);
  bind(Mailer).toResolvedValue(
    ({ mail, outboundTimeout: timeoutMs }: AlertsSettings) => mail && createMailer({ ...mail, timeoutMs }),
    [AlertsSettings],
  );
  bind(RouteModule).to(AlertRoutes);
});
