import { PoolFinder, RouteModule } from '@waiver-service/http';
import { MessageSender, Outbound, Store } from '@waiver-service/integration';
import { ContainerModule } from 'inversify';
import { AlertRoutes } from './alert-routes.ts';
import { createAlertSender } from './alert-sender.ts';
import { AlertsSettings } from './alerts-settings.ts';
import { AlertStore, openAlertStore } from './data/alerts.ts';
import { createMailer, Mailer } from './mailer.ts';

const poolsOfAlerts = ({ alerts }: AlertStore): PoolFinder => ({
  kind: 'alert',
  async find(id) {
    const alert = await alerts.get(id);
    return alert && (alert.pools ?? 'all');
  },
});

const alertSender = (
  outbound: Outbound,
  mailer: Mailer | undefined,
  { alerts }: AlertStore,
): MessageSender => ({
  kind: 'alert',
  send: createAlertSender({
    outbound,
    mailer,
    alertOf: (destination) => alerts.byDestination(destination),
  }),
});

/** Alerts to operators of what the store reports. */
export const alertsModule = new ContainerModule(({ bind }) => {
  bind(AlertStore).toResolvedValue(openAlertStore, [Store]);
  bind(Mailer).toResolvedValue(
    ({ mail, outboundTimeout: timeoutMs }: AlertsSettings) => mail && createMailer({ ...mail, timeoutMs }),
    [AlertsSettings],
  );
  bind(MessageSender).toResolvedValue(alertSender, [Outbound, Mailer, AlertStore]);
  bind(PoolFinder).toResolvedValue(poolsOfAlerts, [AlertStore]);
  bind(RouteModule).to(AlertRoutes);
});
