import { RouteModule } from '@waiver-service/http';
import { ContainerModule } from 'inversify';
import { AlertRoutes } from './alert-routes.ts';
import { AlertsSettings } from './alerts-settings.ts';
import { createMailer, Mailer } from './mailer.ts';

/** Alerts to operators. The store decides which events become alerts. */
export const alertsModule = new ContainerModule(({ bind }) => {
  bind(Mailer).toResolvedValue(
    ({ mail, outboundTimeout: timeoutMs }: AlertsSettings) => mail && createMailer({ ...mail, timeoutMs }),
    [AlertsSettings],
  );
  bind(RouteModule).to(AlertRoutes);
});
