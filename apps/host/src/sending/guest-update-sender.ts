import type { GuestUpdate } from '@waiver-service/core';
import { keepSettings, outcomeOf, type Sender } from '@waiver-service/delivery';
import type { Exchange } from '@waiver-service/outbound';
import { BookingSystemNotConfigured } from '@waiver-service/plugin-kit';
import type { Store } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import type { BookingSystemConnector } from '../booking-systems/booking-system-connection.ts';

/** What the sender of Guest Updates needs. */
export interface GuestUpdateSenderParts {
  readonly installations: Pick<Store['installations'], 'configurationByDestination'>;
  readonly connector: Pick<BookingSystemConnector, 'connect'>;
  readonly log: Pick<FastifyBaseLogger, 'info'>;
}

/**
 * Makes the sender of Guest Updates (contract 4.2): through the plugin of the booking system, with the key and the
 * settings of this moment.
 */
export function createGuestUpdateSender({ installations, connector, log }: GuestUpdateSenderParts): Sender {
  const configurationFor = keepSettings((destination) =>
    installations.configurationByDestination(destination),
  );
  return async (message, signal) => {
    const started = performance.now();
    const configuration = await configurationFor(message);
    // Uninstalling cancels what waits; this one was claimed a moment before.
    if (configuration === undefined)
      throw new Error(`destination ${message.destination} is not installed any more`);
    let last: Exchange | undefined;
    const onExchange = (exchange: Exchange) => {
      last = exchange;
    };
    const answered = () => ({
      durationMs: Math.round(performance.now() - started),
      ...(last?.status === undefined ? {} : { status: last.status }),
      ...(last === undefined ? {} : { response: last.excerpt }),
    });
    try {
      const { plugin, context } = connector.connect(configuration, {
        purpose: 'guest-update',
        signal,
        onExchange,
      });
      if (plugin.pushWaiver === undefined) {
        const response = `${plugin.displayName} takes no Guest Updates: nothing was sent.`;
        return { ...answered(), outcome: 'accepted', retry: 'schedule', response };
      }
      // The store wrote it.
      const { waiver }: GuestUpdate = JSON.parse(message.body);
      const { warnings } = await plugin.pushWaiver(context, waiver);
      if (warnings.length > 0)
        log.info({ delivery: message.id, warnings }, 'a waiver was taken with warnings');
      return { ...answered(), outcome: 'accepted', retry: 'schedule' };
    } catch (error) {
      // The operator has still to set it up: no try of the booking system's is used up meanwhile.
      if (error instanceof BookingSystemNotConfigured) throw new Error(error.message, { cause: error });
      const outcome = outcomeOf(error);
      // A fault of ours goes on as it is, so that it is logged with what it was.
      if (outcome.outcome === 'own-fault') throw error;
      return { ...answered(), ...outcome };
    }
  };
}
