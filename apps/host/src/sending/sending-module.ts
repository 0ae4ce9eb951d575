import { ContainerModule } from 'inversify';
import { alertTokens } from '../alerts/alerts-module.ts';
import { bookingSystemTokens } from '../booking-systems/booking-systems-module.ts';
import { hostTokens } from '../container/host-tokens.ts';
import { operationsTokens } from '../operations/operations-module.ts';
import { createSending } from './create-sending.ts';
import { reportDispatcher } from './dispatcher-events.ts';

/** The dispatcher, which sends what the store's outbox holds. */
export const sendingModule = new ContainerModule(({ bind }) => {
  bind(hostTokens.background).toResolvedValue(
    (settings, store, outbound, connector, metrics, log, faults, tracing, mailer) => {
      const onEvent = reportDispatcher(log, { metrics, faults, tracing });
      const sending = createSending({ settings, store, outbound, connector, mailer, onEvent });
      metrics.watchSending(sending);
      return sending;
    },
    [
      hostTokens.settings,
      hostTokens.store,
      hostTokens.outbound,
      bookingSystemTokens.connector,
      operationsTokens.metrics,
      hostTokens.log,
      hostTokens.faults,
      hostTokens.tracing,
      alertTokens.mailer,
    ],
  );
});
