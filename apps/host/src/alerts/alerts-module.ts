import { ContainerModule } from 'inversify';
import { hostTokens } from '../container/host-tokens.ts';
import { token } from '../container/token.ts';
import { createMailer, type Mailer } from './mailer.ts';

export const alertTokens = {
  /** Undefined without `SMTP_URL`. */
  mailer: token<Mailer | undefined>('mailer'),
};

/** How operators are told that something is wrong. What they are told is decided in the store. */
export const alertsModule = new ContainerModule(({ bind }) => {
  bind(alertTokens.mailer).toResolvedValue(
    ({ mail, outboundTimeout }) => mail && createMailer({ ...mail, timeoutMs: outboundTimeout }),
    [hostTokens.settings],
  );
});
