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
import { contractWaiver } from '../fixtures/waivers.ts';
import { readsCurrent, readsNative } from '../manifest-questions.ts';
import type { NativeAnswer, NativeScenarios } from '../native/native-scenarios.ts';
import type { ContractSuiteOptions } from '../options.ts';
import { Partner, partnerBaseUrl, partnerNetwork } from './partner.ts';
import { plantedApiKey, secretsOf } from './planted-secrets.ts';
import { usualPool } from './usual-pool.ts';

/** What one call is made with, where it differs from the usual. */
interface CallDetails {
  readonly pool?: string;
  readonly signal?: AbortSignal;
  /** Gives up soon, for a booking system that does not answer. */
  readonly impatient?: boolean;
}

const patience = 10_000;
// Long enough for a busy machine to have made the request by then.
const impatience = 300;

/** What a clause is run with: the plugin, a booking system that answers as told, and what is planted in both. */
export class ClauseKit {
  readonly plugin: BookingSystemPlugin;
  readonly partner = new Partner();
  readonly secrets: readonly string[];
  readonly #scenarios: NativeScenarios | undefined;
  readonly #settings: unknown;
  /** What the installation brought. */
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

  /** The vendor's scenarios. Throws where the plugin's test gives none. */
  get native(): NativeScenarios {
    if (this.#scenarios) return this.#scenarios;
    throw new Error(
      `${this.plugin.installName} reads the form native, so its test must give scenarios: runContractSuite(plugin, { native: … })`,
    );
  }

  /** The headers that must authenticate a call. */
  authHeaders(purpose: 'read' | 'guest-update'): Readonly<Record<string, string>> {
    return this.plugin.authHeaders({ settings: this.#settings, account: this.account, purpose });
  }

  /** An answer of a status that refuses the key: in the vendor's own words where the scenarios have them for it. */
  refusedKey(status: number): NativeAnswer {
    const own = this.#scenarios?.keyRefused;
    return own?.status === status ? own : { status, body: { error: 'no' } };
  }

  /** A booking id that the plugin can ask for. */
  get bookingId(): string {
    return readsNative(this.plugin) ? this.native.bookingId : contractBookingId;
  }

  /** The method by which a booking is asked for. */
  get readMethod(): string {
    return readsNative(this.plugin) ? this.native.readRequest.method : 'GET';
  }

  /** A body that is a booking for the plugin. */
  get bookingBody(): unknown {
    if (readsNative(this.plugin)) return this.native.bodies[0].body;
    return readsCurrent(this.plugin) ? writeCurrent() : writeLegacy();
  }

  /** The method of the first request by which a waiver is written. */
  get writeMethod(): string {
    return this.#firstGuestUpdate?.exchanges[0]?.request.method ?? 'POST';
  }

  /** A waiver that the plugin can write. */
  get waiver(): Waiver {
    return contractWaiver({ bookingId: this.bookingId, ...this.#firstGuestUpdate?.waiver });
  }

  /** Reads a booking as the host would. */
  read(bookingId: string = this.bookingId, details: CallDetails = {}): Promise<FetchedBooking> {
    return this.plugin.fetchBooking(this.#context('read', details), bookingId);
  }

  /** Writes a waiver as the host would. */
  push(waiver: Waiver = this.waiver, details: CallDetails = {}): Promise<PushedWaiver> {
    const { pushWaiver } = this.plugin;
    if (!pushWaiver) throw new Error(`${this.plugin.installName} has no pushWaiver`);
    return pushWaiver(this.#context('guest-update', { pool: waiver.pool, ...details }), waiver);
  }

  /** Takes everything down again. */
  async close(): Promise<void> {
    this.partner.dismiss();
    await Promise.all(this.#outbounds.map((outbound) => outbound.close()));
  }

  get #firstGuestUpdate() {
    return this.plugin.capabilities.takes.includes('waiver') ? undefined : this.#scenarios?.guestUpdates?.[0];
  }

  #context(purpose: 'read' | 'guest-update', { pool = usualPool, signal, impatient = false }: CallDetails) {
    const timeoutMs = impatient ? impatience : patience;
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
