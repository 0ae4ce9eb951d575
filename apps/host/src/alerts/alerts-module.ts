import { ContainerModule } from 'inversify';
import { HostSettings } from '../settings/host-settings.ts';
import { createMailer, Mailer } from './mailer.ts';

/** Alerts to operators. The store decides which events become alerts. */
export const alertsModule = new ContainerModule(({ bind }) => {
  bind(Mailer).toResolvedValue(
    ({ mail, outboundTimeout: timeoutMs }: HostSettings) => mail && createMailer({ ...mail, timeoutMs }),
    [HostSettings],
  );
});
