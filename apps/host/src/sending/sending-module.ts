import { ContainerModule } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { using } from '../container/using.ts';
import { createSending } from './create-sending.ts';
import { reportDispatcher } from './dispatcher-events.ts';

/** The dispatcher, which sends the messages of the store's outbox. */
export const sendingModule = new ContainerModule(({ bind }) => {
  bind(tokens.background).toResolvedValue(
    ...using(
      [
        'settings',
        'store',
        'outbound',
        'connector',
        'bookingReader',
        'mailer',
        'log',
        'metrics',
        'faults',
        'tracing',
      ],
      ({ log, metrics, faults, tracing, ...services }) => {
        const onEvent = reportDispatcher(log, { metrics, faults, tracing });
        const sending = createSending({ ...services, onEvent });
        metrics.watchSending(sending);
        return sending;
      },
    ),
  );
});
