import {
  type BookingSystemContext,
  type BookingSystemPlugin,
  bookingForms,
  bookingIdSchema,
  bookingSchema,
  type InstalledAccount,
  isBookingSystemError,
} from '@waiver-service/core';
import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import { warningSchema } from '../../booking-reading/booking-answer.ts';
import type { BookingReader } from '../../booking-reading/booking-reader.ts';
import type { BookingSources } from '../../booking-reading/booking-sources.ts';
import type { BookingSystemResolver } from '../../booking-systems/booking-system-resolver.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem, malformed, unknownPool } from '../../http/http-problem.ts';
import { poolBookingSystemPathSchema, requirePool } from '../admin-paths.ts';
import { webhookRegistrationAnswer, webhookRegistrationSchema } from './installation-answer.ts';

const durationMs = z.int().describe('How long the read took.');

const webhooks = webhookRegistrationSchema
  .optional()
  .describe('If the service registers the vendor’s webhooks for this installation.');

const testAnswerSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    form: z.enum(bookingForms).optional().describe('Absent where only the account was checked.'),
    booking: bookingSchema.optional(),
    warnings: z.array(warningSchema),
    durationMs,
    webhooks,
  }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string(), durationMs, webhooks }),
]);

// Problems that an operator can fix. Others, such as an unknown pool or a bug of ours, get their own response.
const isFixable = (error: unknown): error is HttpProblem =>
  error instanceof HttpProblem && (error.status === 409 || error.status === 424);

/** Why a read failed, for the person who sets up an installation. */
function failureOf(error: unknown, bookingId: string | undefined): { code: string; message: string } {
  if (isFixable(error)) return { code: error.code, message: error.message };
  if (!isBookingSystemError(error)) throw error;
  const { code, message } = error;
  if (code !== 'booking_not_found' || bookingId === undefined) return { code, message };
  return {
    code,
    message: `${message} Either the booking system has no booking ${JSON.stringify(bookingId)}, or its base address is not the right one: both look the same from here.`,
  };
}

interface Services {
  readonly store: Pick<Store, 'pools' | 'installations'>;
  readonly bookingSystems: BookingSystemResolver;
  readonly bookingReader: Pick<BookingReader, 'readNow'>;
  readonly bookingSources: Pick<BookingSources, 'sourceFor' | 'ask'>;
}

/** `POST …/installations/{booking_system}/test`: reads one booking at once, or checks the account, and reports the result. */
export const testInstallationRoute: RouteModule<Services> = (app, services) => {
  const { store, bookingSystems, bookingReader, bookingSources } = services;

  /** Checks the account, whether or not reads are held back. */
  async function checkAccess(pool: string, plugin: BookingSystemPlugin, signal: AbortSignal) {
    if (plugin.capabilities.checksAccess !== true) {
      const message = `${plugin.displayName} can only be tested with a booking: give the id of one as bookingId.`;
      throw malformed([{ path: 'bookingId', message }]);
    }
    const setup = await store.pools.setup(pool);
    if (setup === undefined) throw unknownPool(pool);
    const source = await bookingSources.sourceFor(setup, plugin.installName);
    const ask = async (context: BookingSystemContext<unknown, InstalledAccount>) =>
      (await plugin.checkAccess?.(context)) ?? { warnings: [] };
    return bookingSources.ask({ source, signal, evenIfFailing: true, ask });
  }

  const webhooksOf = async (pool: string, bookingSystem: string) => {
    const installations = await store.installations.list(pool);
    const registration = installations.find((one) => one.bookingSystem === bookingSystem)?.webhooks;
    return registration ? { webhooks: webhookRegistrationAnswer(registration) } : {};
  };

  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url: '/v1/admin/pools/:pool/installations/:booking_system/test',
    schema: {
      operationId: 'testInstallation',
      tags: ['Operators'],
      summary: 'Test an installation: read one booking at once, or check the account',
      description:
        'Without a bookingId, the account is checked, if the booking system can do that (`capabilities.checksAccess`).',
      params: poolBookingSystemPathSchema,
      body: z.strictObject({ bookingId: bookingIdSchema.optional() }),
      response: { 200: testAnswerSchema },
    },
    handler: async ({ params: { pool, booking_system }, body: { bookingId }, signal }) => {
      const plugin = bookingSystems.resolve(booking_system);
      const { installName: bookingSystem } = plugin;
      await requirePool(services, pool);
      const startedAt = performance.now();
      const duration = () => Math.round(performance.now() - startedAt);
      try {
        if (bookingId === undefined) {
          const { warnings } = await checkAccess(pool, plugin, signal);
          return { ok: true as const, warnings: [...warnings], durationMs: duration() };
        }
        const { fetched } = await bookingReader.readNow({
          pool,
          bookingSystem,
          bookingId,
          signal,
          evenIfFailing: true,
        });
        const { form, booking, warnings } = fetched;
        const read = { form, booking, warnings: [...warnings], durationMs: duration() };
        return { ok: true as const, ...read, ...(await webhooksOf(pool, bookingSystem)) };
      } catch (error) {
        const failure = { ...failureOf(error, bookingId), durationMs: duration() };
        return { ok: false as const, ...failure, ...(await webhooksOf(pool, bookingSystem)) };
      }
    },
  });
};
