import { testInstallation } from '@waiver-service/api';
import {
  type BookingSystemContext,
  type BookingSystemPlugin,
  type CheckedAccess,
  type InstalledAccount,
  isBookingSystemError,
} from '@waiver-service/core';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { HttpProblem, malformed, unknownPool } from '@waiver-service/http';
import type { CallTrace } from '@waiver-service/outbound';
import { inject, injectable } from 'inversify';
import { Outbound, Store } from '../given.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { BookingReader, type BookingReading } from '../reading/booking-reader.ts';
import { type BookingSource, BookingSources } from '../reading/booking-sources.ts';
import { explainRead } from '../reading/explained-read.ts';

/** Why a read failed, for the person who sets up an installation. */
function failureOf(error: unknown, bookingId: string | undefined): { code: string; message: string } {
  if (error instanceof HttpProblem) return { code: error.code, message: error.message };
  if (!isBookingSystemError(error)) throw error;
  const { code, message } = error;
  if (code !== 'booking_not_found' || bookingId === undefined) return { code, message };
  return {
    code,
    message: `${message} Either the booking system has no booking ${JSON.stringify(bookingId)}, or its base address is not the right one: both look the same from here.`,
  };
}

/** `POST …/installations/{booking_system}/test`: reads a booking or checks the account, with a report. */
@injectable()
export class TestInstallationRoute implements RouteModule {
  constructor(
    @inject(Store) private readonly store: Store,
    @inject(Outbound) private readonly outbound: Outbound,
    @inject(BookingSystemResolver) private readonly bookingSystems: BookingSystemResolver,
    @inject(BookingSources) private readonly bookingSources: BookingSources,
    @inject(BookingReader) private readonly bookingReader: BookingReader,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, bookingSystems, bookingReader, bookingSources: sources, outbound } = this;

    function requireAccessCheck({ capabilities, displayName }: BookingSystemPlugin): void {
      if (capabilities.checksAccess === true) return;
      const message = `${displayName} can only be tested with a booking: give the id of one as bookingId.`;
      throw malformed([{ path: 'bookingId', message }]);
    }

    /** Checks the account, even while reads are held back. */
    function checkAccess(source: BookingSource, trace: CallTrace, signal: AbortSignal) {
      const { plugin } = source.connection;
      const ask = async (context: BookingSystemContext<unknown, InstalledAccount>) =>
        (await plugin.checkAccess?.(context)) ?? { warnings: [] };
      return sources.ask({ source, signal, evenIfFailing: true, trace, ask });
    }

    const webhooksOf = async (pool: string, bookingSystem: string) => {
      const installations = await store.installations.list(pool);
      return installations.find((one) => one.bookingSystem === bookingSystem)?.webhooks;
    };

    app.route({
      ...testInstallation,
      handler: async ({ params: { pool, booking_system }, body: { bookingId }, signal }) => {
        const plugin = bookingSystems.resolve(booking_system);
        const { installName: bookingSystem } = plugin;
        const setup = await store.pools.setup(pool);
        if (setup === undefined) throw unknownPool(pool);
        if (bookingId === undefined) requireAccessCheck(plugin);
        const startedAt = performance.now();
        const explained = await explainRead<BookingReading | CheckedAccess>({
          sources,
          outbound,
          setup,
          bookingSystem,
          signal,
          read: (source, trace) =>
            bookingId === undefined
              ? checkAccess(source, trace, signal)
              : bookingReader.readNow({ pool, bookingSystem, bookingId, signal, evenIfFailing: true, trace }),
        });
        const { result } = explained;
        const course = {
          durationMs: Math.round(performance.now() - startedAt),
          steps: [...explained.steps],
          webhooks: await webhooksOf(pool, bookingSystem),
        };
        if ('error' in result)
          return { ok: false as const, ...failureOf(result.error, bookingId), ...course };
        if (!('fetched' in result.value)) {
          return { ok: true as const, warnings: [...result.value.warnings], ...course };
        }
        const { form, booking, warnings } = result.value.fetched;
        return { ok: true as const, form, booking, warnings: [...warnings], ...course };
      },
    });
  }
}
