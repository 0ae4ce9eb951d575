import type {
  BookingSystemPlugin,
  FetchedBooking,
  InstalledAccount,
  PushedWaiver,
  Waiver,
} from '@waiver-service/core';
import { createOutbound, type Outbound } from '@waiver-service/outbound';
import { createBookingSystemContext } from '@waiver-service/plugin-kit';
import { contractBookingId, writeCurrent, writeLegacy } from '../fixtures/bookings.ts';
import { contractPool, contractWaiver } from '../fixtures/waivers.ts';
import { readsCurrent, readsNative } from '../manifest-predicates.ts';
import type { NativeAnswer, NativeScenarios } from '../native/native-scenarios.ts';
import type { ContractSuiteOptions } from '../options.ts';
import { Partner, partnerBaseUrl, partnerNetwork } from './partner.ts';
import { plantedApiKey, secretsOf } from './planted-secrets.ts';

interface CallOptions {
  readonly pool?: string;
  readonly signal?: AbortSignal;
  /** For a booking system that never responds. */
  readonly shortTimeout?: boolean;
}

const defaultTimeoutMs = 10_000;
// Long enough to send the request even on a busy machine.
const shortTimeoutMs = 300;

/** A clause's environment: the plugin, a mocked booking system, and the secrets planted in settings and account. */
export class ClauseKit {
  readonly plugin: BookingSystemPlugin;
  readonly partner = new Partner();
  readonly secrets: readonly string[];
  readonly #scenarios: NativeScenarios | undefined;
  readonly #settings: unknown;
  readonly account: InstalledAccount;
  readonly #outbounds: Outbound[] = [];

  constructor(plugin: BookingSystemPlugin, options: ContractSuiteOptions) {
    this.plugin = plugin;
    this.#scenarios = options.native;
    this.#settings = plugin.settingsSchema.parse(options.settings ?? {});
    const account = { accountId: 'account-1', apiKey: plantedApiKey, ...options.account };
    this.account = plugin.accountSchema.parse(account);
    this.secrets = secretsOf(plugin, this.#settings, this.account);
  }

  /** The vendor's scenarios; throws if the plugin's test passes none. */
  get native(): NativeScenarios {
    if (this.#scenarios) return this.#scenarios;
    throw new Error(
      `${this.plugin.installName} reads the form native, so its test must give scenarios: runContractSuite(plugin, { native: … })`,
    );
  }

  /** The headers that must authenticate a request. */
  authHeaders(purpose: 'read' | 'guest-update'): Readonly<Record<string, string>> {
    return this.plugin.authHeaders({ settings: this.#settings, account: this.account, purpose });
  }

  /** A response that rejects the key; the vendor's own if the scenarios have one with this status. */
  refusedKey(status: number): NativeAnswer {
    const own = this.#scenarios?.keyRefused;
    return own?.status === status ? own : { status, body: { error: 'no' } };
  }

  get bookingId(): string {
    return readsNative(this.plugin) ? this.native.bookingId : contractBookingId;
  }

  /** The HTTP method of the first request of a read. */
  get readMethod(): string {
    return readsNative(this.plugin) ? this.native.readRequest.method : 'GET';
  }

  /** A body that the plugin reads as a booking. */
  get bookingBody(): unknown {
    if (readsNative(this.plugin)) return this.native.bodies[0].body;
    return readsCurrent(this.plugin) ? writeCurrent() : writeLegacy();
  }

  /** The HTTP method of the first request of a write. */
  get writeMethod(): string {
    return this.#firstGuestUpdate?.exchanges[0]?.request.method ?? 'POST';
  }

  /** A waiver that the plugin can write. */
  get waiver(): Waiver {
    return contractWaiver({ bookingId: this.bookingId, ...this.#firstGuestUpdate?.waiver });
  }

  /** Reads a booking as the host would. */
  read(bookingId: string = this.bookingId, options: CallOptions = {}): Promise<FetchedBooking> {
    return this.plugin.fetchBooking(this.#context('read', options), bookingId);
  }

  /** Writes a waiver as the host would. */
  push(waiver: Waiver = this.waiver, options: CallOptions = {}): Promise<PushedWaiver> {
    const { pushWaiver } = this.plugin;
    if (!pushWaiver) throw new Error(`${this.plugin.installName} has no pushWaiver`);
    return pushWaiver(this.#context('guest-update', { pool: waiver.pool, ...options }), waiver);
  }

  async close(): Promise<void> {
    this.partner.close();
    await Promise.all(this.#outbounds.map((outbound) => outbound.close()));
  }

  get #firstGuestUpdate() {
    return this.plugin.capabilities.takes.includes('waiver') ? undefined : this.#scenarios?.guestUpdates?.[0];
  }

  #context(
    purpose: 'read' | 'guest-update',
    { pool = contractPool, signal, shortTimeout = false }: CallOptions,
  ) {
    const timeoutMs = shortTimeout ? shortTimeoutMs : defaultTimeoutMs;
    const outbound = createOutbound({ allow: [partnerNetwork], timeoutMs });
    this.#outbounds.push(outbound);
    return createBookingSystemContext({
      plugin: this.plugin,
      outbound,
      baseUrl: partnerBaseUrl,
      pool,
      settings: this.#settings,
      account: this.account,
      purpose,
      signal: signal ?? new AbortController().signal,
    });
  }
}
