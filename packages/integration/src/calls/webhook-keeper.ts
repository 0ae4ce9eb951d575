import {
  type BookingSystemPlugin,
  type BookingSystemWebhooks,
  type InstalledAccount,
  isBookingSystemError,
  requestedWaitMs,
} from '@waiver-service/core';
import { CannotDecrypt } from '@waiver-service/database';
import { scrubSecrets } from '@waiver-service/http';
import { type DueWebhooks, refreshWaitMs, type WebhookAttempt } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { BackgroundLoop } from '../background-loop.ts';
import { Log, Store } from '../given.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { BookingSystemConnector, type ConnectionConfiguration } from '../plugins/connect-booking-system.ts';
import { webhookUrlOf } from './install-key.ts';

const pollMs = 2_000;
const maxAtOnce = 4;
const attemptMs = 60_000;
// An attempt is aborted well before another host may begin one.
const leaseMs = 2 * attemptMs;
const hourMs = 3_600_000;

/** How long after a success webhooks are checked again: vendors remove those that failed too often. */
const checkIntervalMs = 24 * hourMs;

/** Milliseconds to wait after a number of failures: as for rereading bookings, and then an hour. */
export function attemptWaitMs(attempts: number, error: unknown): number {
  const waitMs = refreshWaitMs(attempts);
  const requestedMs = (isBookingSystemError(error) ? requestedWaitMs(error) : undefined) ?? 0;
  return Math.max(waitMs, Math.min(requestedMs, checkIntervalMs));
}

/** Whether a removal is given up: the account is no longer accepted, as after most uninstalls, or time is up. */
export function isRemovalGivenUp(error: unknown, nextAt: number, giveUpAt: Date): boolean {
  const isRefused = isBookingSystemError(error) && error.code === 'booking_system_auth_rejected';
  return isRefused || nextAt > giveUpAt.getTime();
}

interface KeptStore {
  readonly vendorWebhooks: Pick<Store['vendorWebhooks'], 'onDue' | 'claim' | 'begin' | 'finish' | 'release'>;
  readonly installations: Pick<Store['installations'], 'configurationByDestination'>;
  readonly bookingSystems: Pick<Store['bookingSystems'], 'get'>;
}

type Webhooks = BookingSystemWebhooks<unknown, InstalledAccount>;

/** Keeps the webhooks at vendors in order; several processes share the work. */
@injectable()
export class WebhookKeeper extends BackgroundLoop {
  private readonly withWebhooks = this.bookingSystems
    .manifests()
    .map(({ installName }) => this.bookingSystems.resolve(installName))
    .filter(({ webhooks }) => webhooks !== undefined)
    .map(({ installName }) => installName);

  constructor(
    @inject(Store) private readonly store: KeptStore,
    @inject(Log) private readonly log: Log,
    @inject(BookingSystemResolver)
    private readonly bookingSystems: Pick<BookingSystemResolver, 'manifests' | 'resolve'>,
    @inject(BookingSystemConnector)
    private readonly connector: Pick<BookingSystemConnector, 'connectOnce' | 'connectFormer'>,
  ) {
    super();
  }

  /** The account and the settings of webhooks; undefined once there is nothing to register them for. */
  private async configurationOf({
    destination,
    removal,
    pool,
    bookingSystem,
  }: DueWebhooks): Promise<ConnectionConfiguration | undefined> {
    const configuration = await this.store.installations.configurationByDestination(destination);
    if (removal === undefined) return configuration;
    const settings = await this.store.bookingSystems.get(bookingSystem);
    return { installation: { pool, bookingSystem, ...removal.access }, settings };
  }

  private async attempt(due: DueWebhooks, signal: AbortSignal): Promise<WebhookAttempt> {
    const plugin = this.bookingSystems.resolve(due.bookingSystem);
    const { webhooks } = plugin;
    const configuration = await this.configurationOf(due);
    if (webhooks === undefined || configuration === undefined) {
      return { outcome: 'off', waitMs: checkIntervalMs };
    }
    const { removal, registered } = due;
    const connection =
      removal === undefined
        ? this.connector.connectOnce(due.destination, configuration)
        : this.connector.connectFormer(due.destination, configuration);
    const context = connection.contextFor({ purpose: 'read', signal });
    const isUsed = removal === undefined && (webhooks.isUsed?.(context) ?? true);
    if (isUsed) return this.register(due, webhooks, plugin, context);
    const urls = registered?.baseUrls.map((baseUrl) => webhookUrlOf(plugin, baseUrl, registered.key)) ?? [];
    if (urls.length > 0) await webhooks.unregister(context, { urls });
    return removal === undefined ? { outcome: 'off', waitMs: checkIntervalMs } : { outcome: 'removed' };
  }

  private async register(
    due: DueWebhooks,
    webhooks: Webhooks,
    plugin: BookingSystemPlugin,
    context: Parameters<Webhooks['register']>[0],
  ): Promise<WebhookAttempt> {
    const address = await this.store.vendorWebhooks.begin(due);
    if (address === undefined) return { outcome: 'off', waitMs: 0 };
    const { key, baseUrl, formerBaseUrls } = address;
    await webhooks.register(context, {
      url: webhookUrlOf(plugin, baseUrl, key),
      formerUrls: formerBaseUrls.map((former) => webhookUrlOf(plugin, former, key)),
    });
    return { outcome: 'registered', waitMs: checkIntervalMs };
  }

  private failureOf(due: DueWebhooks, error: unknown): WebhookAttempt {
    const { pool, bookingSystem, attempts, removal } = due;
    const waitMs = attemptWaitMs(attempts, error);
    // The URL that was sent contains a key, which an answer may repeat.
    const message = scrubSecrets(error instanceof Error ? error.message : String(error));
    const code = isBookingSystemError(error) ? error.code : 'internal';
    const isGivenUp = removal && isRemovalGivenUp(error, Date.now() + waitMs, removal.giveUpAt);
    this.log.warn(
      { pool, bookingSystem, attempts, code, reason: message },
      isGivenUp
        ? 'webhooks of an uninstalled account were not removed at the vendor, and will not be: remove them there'
        : 'the webhooks at a vendor could not be brought in order',
    );
    return isGivenUp ? { outcome: 'removed' } : { outcome: 'failed', waitMs, code, message };
  }

  private async work(due: DueWebhooks): Promise<void> {
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(attemptMs)]);
    let result: WebhookAttempt;
    try {
      result = await this.attempt(due, signal);
    } catch (error) {
      if (this.signal.aborted) return this.store.vendorWebhooks.release(due);
      result = this.failureOf(due, error);
    }
    await this.store.vendorWebhooks.finish(due, result);
  }

  private logFailure(error: unknown): void {
    if (!this.signal.aborted) this.log.error({ err: error }, 'keeping webhooks at vendors failed');
  }

  protected async run(): Promise<void> {
    this.store.vendorWebhooks.onDue(() => this.wake());
    while (!this.signal.aborted && this.withWebhooks.length > 0) {
      let claimed: readonly (DueWebhooks | CannotDecrypt)[] = [];
      try {
        claimed = await this.store.vendorWebhooks.claim({
          bookingSystems: this.withWebhooks,
          limit: maxAtOnce,
          leaseMs,
        });
      } catch (error) {
        this.logFailure(error);
      }
      // Waits for each, even if another fails: no more run at once, and none outlives a stop.
      await Promise.all(
        claimed.map((due) =>
          due instanceof CannotDecrypt
            ? this.logFailure(due)
            : this.work(due).catch((error: unknown) => this.logFailure(error)),
        ),
      );
      // More may be due by now, such as what changed during an attempt.
      if (claimed.length === 0) await this.sleep(pollMs);
    }
  }
}
