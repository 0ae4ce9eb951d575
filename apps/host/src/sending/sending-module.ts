import { Faults } from '@waiver-service/http';
import { BackgroundWork, Log } from '@waiver-service/integration';
import { HostMetrics } from '@waiver-service/operations';
import { ContainerModule } from 'inversify';
import { Tracing } from '../tracing/tracing.ts';
import { DispatcherEvents, Sending } from './create-sending.ts';
import { reportDispatcher } from './dispatcher-events.ts';

/** The dispatcher, which sends the messages of the store's outbox. */
export const sendingModule = new ContainerModule(({ bind }) => {
  bind(DispatcherEvents).toResolvedValue(
    (log: Log, metrics: HostMetrics, faults: Faults, tracing: Tracing) =>
      reportDispatcher(log, { metrics, faults, tracing }),
    [Log, HostMetrics, Faults, Tracing],
  );
  bind(Sending)
    .toSelf()
    .onActivation(({ get }, sending) => {
      get(HostMetrics).watchSending(sending);
      return sending;
    });
  bind(BackgroundWork).toService(Sending);
});
