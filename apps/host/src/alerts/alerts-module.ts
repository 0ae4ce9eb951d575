import { ContainerModule } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { using } from '../container/using.ts';
import { createMailer } from './mailer.ts';

/** Alerts to operators. The store decides which events become alerts. */
export const alertsModule = new ContainerModule(({ bind }) => {
  bind(tokens.mailer).toResolvedValue(
    ...using(
      ['settings'],
      ({ settings: { mail, outboundTimeout: timeoutMs } }) => mail && createMailer({ ...mail, timeoutMs }),
    ),
  );
});
