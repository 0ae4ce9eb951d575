import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { checkInstallation, describeCheck, testInstallation } from '@waiver-service/api';
import {
  type CheckAdvice,
  type CheckOutcome,
  type ClauseResult,
  checkContract,
  sentByCheck,
} from '@waiver-service/contract-check';
import {
  type BookingSystemContext,
  type BookingSystemPlugin,
  type CheckedAccess,
  type ContractChoices,
  type InstalledAccount,
  isBookingSystemError,
} from '@waiver-service/core';
import {
  callerSignal,
  type HostApp,
  HttpProblem,
  malformed,
  type RouteModule,
  unknownPool,
} from '@waiver-service/http';
import { type CallTrace, redactUrl } from '@waiver-service/outbound';
import type { BookingSystemConfiguration } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { IntegrationSettings, Outbound, Store } from '../given.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { BookingReader, type BookingReading } from '../reading/booking-reader.ts';
import { type BookingSource, BookingSources } from '../reading/booking-sources.ts';
import { explainRead } from '../reading/explained-read.ts';
import { requirePool } from './admin-paths.ts';

/** The endpoints of an installation that can be checked, or why they cannot. */
type ContractTarget =
  | {
      readonly contract: ContractChoices;
      readonly bookingApi: string;
      readonly apiKey: string;
      readonly takesWaivers: boolean;
    }
  | { readonly reason: string };

type Access = Parameters<BookingSystemPlugin['headers']>[0];

function sendsOnlyTheKey(
  plugin: BookingSystemPlugin,
  contract: ContractChoices,
  account: InstalledAccount,
  settings: unknown,
): boolean {
  const isKeyHeader = (purpose: Access['purpose'], header: string) => {
    const headers = Object.entries(plugin.headers({ settings, account, purpose }));
    return headers.length === 1 && headers[0]?.[0] === header && headers[0][1] === account.apiKey;
  };
  return (
    plugin.authenticate === undefined &&
    plugin.session === undefined &&
    isKeyHeader('read', contract.authHeaderName) &&
    isKeyHeader('guest-update', contract.guestUpdateAuthHeaderName)
  );
}

/** The endpoints to check, or why not: only a plugin that follows the contract can be checked. */
function contractEndpoints(
  plugin: BookingSystemPlugin,
  { installation, settings }: BookingSystemConfiguration,
): ContractTarget {
  const { displayName, contract, capabilities } = plugin;
  if (contract === undefined) {
    return {
      reason: `${displayName} does not follow the contract. Test it with a booking instead.`,
    };
  }
  const { information, accountId, apiKey } = installation.account;
  if (!sendsOnlyTheKey(plugin, contract, { ...information, accountId, apiKey }, settings?.settings ?? {})) {
    return {
      reason: `${displayName} authenticates in another way than the contract’s, which the check cannot do.`,
    };
  }
  if (capabilities.requestLimits !== undefined) {
    return { reason: `${displayName} limits requests, and a check would use up those of bookings.` };
  }
  const bookingApi = installation.baseUrl ?? settings?.baseUrl;
  if (bookingApi === null || bookingApi === undefined) {
    return { reason: `${displayName} has no base address: set it on the page of the booking system.` };
  }
  const takesWaivers = capabilities.guestUpdate && capabilities.takes.includes('waiver');
  return { contract, bookingApi, apiKey, takesWaivers };
}

const maxCheckMs = 60_000;

const advice: CheckAdvice = {
  booking: 'give the id of a booking that is there; if it is one, correct the base address',
  readKey:
    'install it again with the key of the account; if it is the right one, the booking system has to accept it in the header that its plugin names',
  guestUpdateKey:
    'the booking system has to accept the key of the account in the header that its plugin names for Guest Updates',
  nothingWritten: 'you chose not to write',
};

const takesNoWaivers = {
  ...advice,
  nothingWritten: 'the plugin writes no waivers in the way of the contract',
};

/** Requests and responses are truncated: the installation's test shows them in full. */
function clauseLine({ id, section, title, verdict, exchange }: ClauseResult) {
  return {
    type: 'clause',
    id,
    section,
    title,
    holds: verdict.holds ?? null,
    ...(verdict.holds === false ? { found: verdict.found, change: verdict.change } : {}),
    ...(verdict.holds === undefined ? { because: verdict.because } : {}),
    ...(exchange === undefined || verdict.holds === true
      ? {}
      : {
          request: `${exchange.request.method} ${redactUrl(exchange.request.url)}`,
          answer: ('failure' in exchange.answer
            ? exchange.answer.failure
            : `${exchange.answer.status} ${exchange.answer.body}`
          ).slice(0, 1_000),
        }),
  };
}

function endLine({ ok, clauses }: CheckOutcome) {
  const count = (holds: boolean | undefined) =>
    clauses.filter(({ verdict }) => verdict.holds === holds).length;
  return { type: 'end', ok, held: count(true), failed: count(false), notChecked: count(undefined) };
}

@injectable()
export class CheckInstallationRoutes implements RouteModule {
  constructor(
    @inject(IntegrationSettings) readonly settings: IntegrationSettings,
    @inject(Store) readonly store: Store,
    @inject(Outbound) readonly outbound: Outbound,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, bookingSystems, outbound, settings } = this;

    const findCheckable = async (pool: string, name: string) => {
      const plugin = bookingSystems.resolve(name);
      await requirePool(this, pool);
      const setup = await store.pools.setup(pool);
      const installed = setup?.versionOf(plugin.installName);
      const configuration =
        installed && (await store.installations.configurationByDestination(installed.destination));
      if (configuration === undefined) {
        throw new HttpProblem(404, 'not_installed', `${plugin.installName} is not installed for this pool.`);
      }
      return { plugin, endpoints: contractEndpoints(plugin, configuration) };
    };

    app.route({
      ...describeCheck,
      handler: async ({ params: { pool, booking_system } }) => {
        const { endpoints } = await findCheckable(pool, booking_system);
        const maxSeconds = maxCheckMs / 1_000;
        if ('reason' in endpoints) {
          return { possible: false, reason: endpoints.reason, reads: [], writes: [], maxSeconds };
        }
        const { reads, writes } = sentByCheck(endpoints.contract.pathShape);
        return {
          possible: true,
          reads: [...reads],
          writes: endpoints.takesWaivers ? [...writes] : [],
          maxSeconds,
        };
      },
    });

    app.route({
      ...checkInstallation,
      handler: async (request, reply) => {
        const { params, body } = request;
        const signal = callerSignal(reply);
        const { pool, booking_system } = params;
        const { plugin, endpoints } = await findCheckable(pool, booking_system);
        if ('reason' in endpoints) throw new HttpProblem(409, 'check_not_possible', endpoints.reason);
        const { contract, bookingApi, apiKey, takesWaivers } = endpoints;
        // Voiding the test waivers may take two more calls.
        const maxMs = maxCheckMs + 2 * settings.outboundTimeout + 10_000;
        if (!(await store.installationChecks.begin(pool, plugin.installName, maxMs))) {
          throw new HttpProblem(
            409,
            'check_running',
            'A check of this installation is running: wait until it has ended.',
          );
        }
        // One line for each clause: few enough to need no backpressure.
        const lines = new Readable({ read() {} });
        const write = (line: object) => lines.push(`${JSON.stringify(line)}\n`);
        const checking = checkContract(
          {
            ...contract,
            bookingApi,
            apiKey,
            pool,
            bookingId: body.bookingId,
            missingBookingId: `no-such-booking-${randomUUID()}`,
            write: body.write && takesWaivers,
            advice: takesWaivers ? advice : takesNoWaivers,
          },
          {
            outbound,
            signal: AbortSignal.any([signal, AbortSignal.timeout(maxCheckMs)]),
            onClause: (clause) => write(clauseLine(clause)),
          },
        );
        const end = async () => {
          try {
            write(endLine(await checking));
          } catch (error) {
            request.log.error({ err: error }, 'a check has failed');
          } finally {
            await store.installationChecks.end(pool, plugin.installName);
            lines.push(null);
          }
        };
        end().catch((error: unknown) =>
          lines.destroy(Error('the check ended without a result', { cause: error })),
        );
        reply.headers({
          'content-type': 'application/x-ndjson; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        });
        return reply.send(lines);
      },
    });
  }
}

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
