import type {
  AuthorizationCallback,
  BookingChanges,
  BookingChangesRequest,
  BookingListRequest,
  BookingSystemPlugin,
  CheckedAccess,
  ContractChoices,
  FetchedBooking,
  InboundCall,
  InstalledAccount,
  ListedBookings,
  PushedWaiver,
  SignableRequest,
  SignedDocument,
  Waiver,
} from '@waiver-service/core';
import { type BeforeRequest, createOutbound, type Exchange, type Outbound } from '@waiver-service/outbound';
import {
  createBookingSystemContext,
  createCodeVerifier,
  keepSessionInMemory,
  type PreparedAuthorization,
  prepareAuthorization,
  type RenewSession,
  type SessionKeeper,
} from '@waiver-service/plugin-kit';
import { isAuthorized, readsCurrent, readsNative, sharesAddress, verifiesCalls } from '../conditions.ts';
import type { RanScenario } from '../evidence.ts';
import { contractBookingId, contractPool, contractWaiver, writeCurrent, writeLegacy } from '../fixtures.ts';
import {
  type ExchangeScenarios,
  type KnownAccess,
  type NativeAnswer,
  type NativeCall,
  type NativeInbound,
  type PlayedScenarios,
  webhookUrl,
} from '../native/native-scenarios.ts';
import {
  type ContractSuiteOptions,
  type IsAuthentic,
  inboundCall,
  type JudgedAnswer,
  lowerCased,
  signableCall,
  type VendorSignature,
} from '../options.ts';
import { BypassDetector } from './bypass-detector.ts';
import { type AddedNames, observingAuthentication } from './observing-authentication.ts';
import { IssuingTokens, Partner, type PartnerRequest, partnerBaseUrl, partnerNetwork } from './partner.ts';
import { accessOf, otherAccess, secretsOf, withOtherSecrets } from './planted-secrets.ts';

/** Options for calling the plugin. */
export interface CallOptions {
  readonly pool?: string;
  readonly signal?: AbortSignal;
  /** Called before each request. */
  readonly beforeRequest?: BeforeRequest;
  /** The timeout, for a booking system that never responds. Default: 10 s. */
  readonly timeoutMs?: number;
  /** Calls as an account with other secrets. */
  readonly otherSecrets?: boolean;
  /** Calls as an account with these fields changed. */
  readonly account?: Readonly<Record<string, unknown>>;
}

/** How a vendor's call is signed. */
export interface InboundCallOptions {
  /** Default: the kit's `now`. */
  readonly signedAt?: Date;
  /** Signs with secrets other than the installation's. */
  readonly otherSecrets?: boolean;
  readonly unsigned?: boolean;
}

/** A response, and the method of its request. */
export interface MethodAnswer {
  readonly method: string;
  readonly answer: NativeAnswer;
}

const defaultTimeoutMs = 10_000;

// A signed time is not a secret.
const isTime = /(?:^|[-_])(?:date|timestamp)$/i;
// A shorter text may be an ordinary word of a booking, which must not be altered.
const minSecretLength = 16;

/** A clause's environment: the plugin, a mocked booking system, and the secrets planted in settings and account. */
export class ClauseKit {
  readonly plugin: BookingSystemPlugin;
  readonly partner = new Partner();
  readonly bypassDetector = new BypassDetector();
  readonly secrets: readonly string[];
  /** The current time for the following calls. */
  now = new Date();
  /** The scenarios that the clause has completed so far. */
  readonly ranScenarios: RanScenario[] = [];
  /** Each request as the host logs it. */
  readonly exchanges: Exchange[] = [];
  /** What a simulated vendor refused, or stored other than its scenario says. */
  readonly simulationFailures: readonly unknown[];
  readonly #scenarios: ExchangeScenarios | undefined;
  readonly #isAuthentic: IsAuthentic | undefined;
  readonly #access: KnownAccess;
  readonly #settings: unknown;
  readonly #judged: ContractSuiteOptions['judged'];
  readonly #inboundSignature: ContractSuiteOptions['inboundSignature'];
  readonly account: InstalledAccount;
  /** Lowercase names of the headers and query parameters that `authenticate` has added so far. */
  readonly #authentication: AddedNames = { headers: new Set(), query: new Set() };
  readonly #outbounds: Outbound[] = [];
  /** The parameters of the operator’s browser redirect from an authorization page. */
  readonly visit: AuthorizationCallback = {
    code: 'planted-authorization-code-0123456789',
    codeVerifier: createCodeVerifier(),
    redirectUri: 'https://waivers.example/integration/authorize/this-plugin',
    callbackUrl: new URL('https://waivers.example/integration/authorize/this-plugin?code=c&state=s'),
  };
  readonly #tokens: IssuingTokens | undefined;
  readonly #sessionKeeper = this.#createSessionKeeper(false);
  readonly #otherSessionKeeper = this.#createSessionKeeper(true);
  /** Called before each token request. */
  beforeTokenRequest: BeforeRequest = async () => {};

  constructor(plugin: BookingSystemPlugin, options: ContractSuiteOptions, played: PlayedScenarios) {
    this.plugin = observingAuthentication(plugin, this.#authentication);
    this.#scenarios = played.native;
    this.simulationFailures = played.failures;
    this.#judged = options.judged;
    this.#inboundSignature = options.inboundSignature;
    this.#isAuthentic = options.isAuthentic;
    this.#access = {
      ...accessOf(options),
      visit: isAuthorized(plugin) ? this.visit : undefined,
    };
    this.#settings = plugin.settingsSchema.parse(this.#access.settings);
    this.account = plugin.accountSchema.parse(this.#access.account);
    this.secrets = secretsOf(plugin, this.#settings, this.account);
    this.#tokens =
      options.tokens && new IssuingTokens(options.tokens, (request) => this.#signable(request), this.#access);
    if (this.#tokens) this.#issueTokens(this.#tokens);
  }

  /** The choices that the contract leaves to the plugin; throws if it does not follow the contract. */
  get contract(): ContractChoices {
    const { contract, installName } = this.plugin;
    if (contract === undefined) throw new Error(`${installName} does not follow the contract`);
    return contract;
  }

  /** The installation's authorization by an operator; throws if the plugin's sessions do not begin that way. */
  authorization(otherSecrets = false): PreparedAuthorization {
    const outbound = this.#openOutbound(defaultTimeoutMs);
    const prepared = prepareAuthorization({
      ...this.#installation(otherSecrets),
      outbound,
      pool: contractPool,
      purpose: 'read',
    });
    if (prepared) return prepared;
    throw new Error(`${this.plugin.installName} has no authorizationUrl or no exchangeCode`);
  }

  /** The tokens that the booking system issues; throws if the plugin's test does not say how. */
  get tokens(): IssuingTokens {
    if (this.#tokens) return this.#tokens;
    throw new Error(
      `${this.plugin.installName} has a session, so its test must say how tokens are issued: runContractSuite(plugin, { tokens: { … } })`,
    );
  }

  /** The vendor's scenarios; throws if the plugin's test passes none. */
  get native(): ExchangeScenarios {
    if (this.#scenarios) return this.#scenarios;
    throw new Error(
      `${this.plugin.installName} reads the form native, so its test must give scenarios: runContractSuite(plugin, { native: … })`,
    );
  }

  /** The responses that the plugin can judge; throws if its test passes none. */
  get judged(): readonly JudgedAnswer[] {
    if (this.#judged) return this.#judged;
    throw new Error(
      `${this.plugin.installName} has a judgeAnswer, so its test must give answers: runContractSuite(plugin, { judged: [ … ] })`,
    );
  }

  /** The vendor's inbound calls; throws if the plugin's test passes none. */
  get inboundScenarios(): readonly NativeInbound[] {
    const { inbound } = this.native;
    if (inbound) return inbound;
    throw new Error('capabilities.inbound is native: native.inbound must be given');
  }

  /** How the vendor authenticates its calls; throws if the plugin's test does not say. */
  get inboundSignature(): VendorSignature {
    if (this.#inboundSignature) return this.#inboundSignature;
    throw new Error(
      `${this.plugin.installName} has an inboundAuthenticity, so its test must sign as the vendor does: runContractSuite(plugin, { inboundSignature: … })`,
    );
  }

  /** The vendor's signature of its first call, with these changes. */
  signatureOf(change: Partial<SignableRequest>): string {
    const [first] = this.inboundScenarios;
    if (first === undefined) throw new Error('native.inbound must not be empty');
    const request = { ...signableCall(this.plugin, first.call), now: this.now, ...change };
    return JSON.stringify(this.inboundSignature.sign(request, this.#access));
  }

  /** A vendor's call as the host passes it to the plugin. */
  inboundCall(call: NativeCall, options: InboundCallOptions = {}): InboundCall<unknown, InstalledAccount> {
    const { signedAt = this.now, otherSecrets = false, unsigned = false } = options;
    const access = otherSecrets ? otherAccess(this.#access) : this.#access;
    const signature = verifiesCalls(this.plugin) && !unsigned ? this.inboundSignature : undefined;
    const added = signature?.sign({ ...signableCall(this.plugin, call), now: signedAt }, access) ?? {};
    return {
      ...inboundCall(this.plugin, {
        ...call,
        headers: { ...call.headers, ...lowerCased(added.headers ?? {}) },
        query: { ...call.query, ...added.query },
      }),
      now: this.now,
      settings: this.#settings,
      account: sharesAddress(this.plugin) ? undefined : this.account,
    };
  }

  /** The responses to all requests of a successful read, in order. */
  get readAnswers(): readonly MethodAnswer[] {
    const [first] = readsNative(this.plugin) ? this.native.bodies : [];
    const further = first?.further ?? [];
    return [
      { method: this.readMethod, answer: { body: this.bookingBody } },
      ...further.map(({ request, answer }) => ({ method: request.method, answer })),
    ];
  }

  /** The responses to all requests of a successful write, in order. */
  get writeAnswers(): readonly MethodAnswer[] {
    const exchanges = this.#firstGuestUpdate?.exchanges;
    if (exchanges === undefined) return [{ method: 'POST', answer: { body: { success: true } } }];
    return exchanges.map(({ request, answer }) => ({ method: request.method, answer }));
  }

  /** The names of headers that authenticate: those of every request, and those added to requests so far. */
  authHeaderNames(purpose: 'read' | 'guest-update'): readonly string[] {
    const headers = this.plugin.headers({ settings: this.#settings, account: this.account, purpose });
    return [...Object.keys(headers).map((name) => name.toLowerCase()), ...this.#authentication.headers];
  }

  /** The access tokens that the booking system has issued so far. */
  get issuedTokens(): readonly string[] {
    return this.#tokens?.issued ?? [];
  }

  /** Whether the booking system would accept a request; throws if the plugin's test does not say. */
  isAuthentic(request: PartnerRequest): boolean {
    if (!this.#isAuthentic) {
      throw new Error(
        `${this.plugin.installName} authenticates in its own way, so its test must say what is authentic: runContractSuite(plugin, { isAuthentic: … })`,
      );
    }
    const accessToken = this.#tokens?.issued.at(-1);
    return this.#isAuthentic(this.#signable(request), { ...this.#access, accessToken });
  }

  /** The secrets that a request carries. */
  secretsIn(request: PartnerRequest): readonly string[] {
    const { url, headers } = request;
    const sent = [decodeURIComponent(url), ...[...headers].map(([, value]) => value)].join('\n');
    const added = [
      ...[...headers].filter(([name]) => name === 'authorization' || this.#authentication.headers.has(name)),
      ...[...new URLSearchParams(request.query)].filter(([name]) =>
        this.#authentication.query.has(name.toLowerCase()),
      ),
    ];
    const credentials = added
      .filter(([name]) => !isTime.test(name))
      .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, '')]);
    const secrets = [...this.secrets.filter((secret) => sent.includes(secret)), ...credentials];
    return [...new Set(secrets)].filter(({ length }) => length >= minSecretLength);
  }

  /** A request's query without its authentication. */
  queryOf({ query }: PartnerRequest): [string, string][] {
    return [...new URLSearchParams(query)].filter(
      ([name]) => !this.#authentication.query.has(name.toLowerCase()),
    );
  }

  /** A response that rejects the key: the vendor's own, if the scenarios have one with this status. */
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

  /** Lists bookings as the host would. */
  async list(request: BookingListRequest, options: CallOptions = {}): Promise<ListedBookings> {
    const page = await this.plugin.listBookings?.(this.#context('read', options), request);
    if (page === undefined) throw new Error(`${this.plugin.installName} has no listBookings`);
    return page;
  }

  /** Asks for changes as the host would. */
  async changes(request: BookingChangesRequest, options: CallOptions = {}): Promise<BookingChanges> {
    const changes = await this.plugin.changesSince?.(this.#context('read', options), request);
    if (changes === undefined) throw new Error(`${this.plugin.installName} has no changesSince`);
    return changes;
  }

  /** Checks the account as the host would. */
  async checkAccess(options: CallOptions = {}): Promise<CheckedAccess> {
    const checked = await this.plugin.checkAccess?.(this.#context('read', options));
    if (checked === undefined) throw new Error(`${this.plugin.installName} has no checkAccess`);
    return checked;
  }

  /** Writes a waiver as the host would. */
  push(
    waiver: Waiver = this.waiver,
    options: CallOptions = {},
    document?: SignedDocument,
  ): Promise<PushedWaiver> {
    const { pushWaiver } = this.plugin;
    if (!pushWaiver) throw new Error(`${this.plugin.installName} has no pushWaiver`);
    return pushWaiver(this.#context('guest-update', { pool: waiver.pool, ...options }), waiver, document);
  }

  /** The plugin's webhook functions, called as the host would. */
  get webhooks() {
    return this.webhooksOf({});
  }

  /** See {@link webhooks}. */
  webhooksOf(options: CallOptions) {
    const { webhooks } = this.plugin;
    if (!webhooks) throw new Error(`${this.plugin.installName} has no webhooks`);
    return {
      register: (...formerUrls: string[]) =>
        webhooks.register(this.#context('read', options), { url: webhookUrl, formerUrls }),
      unregister: (...urls: string[]) => webhooks.unregister(this.#context('read', options), { urls }),
    };
  }

  async close(): Promise<void> {
    this.bypassDetector.close();
    this.partner.close();
    await Promise.all(this.#outbounds.map((outbound) => outbound.close()));
  }

  #signable({ method, url, headers, bytes: body }: PartnerRequest): SignableRequest {
    return { method, url: new URL(url), headers: Object.fromEntries(headers), body, now: this.now };
  }

  #issueTokens(tokens: IssuingTokens): void {
    this.partner.willAnswerTokens(tokens.tokenUrl, (request) => tokens.answer(request));
    const { judgeAnswer } = this.plugin;
    this.partner.repeatRefusals(({ status = 200, body }) => {
      const judged = judgeAnswer?.({ status, headers: {}, data: body });
      return status === 401 || judged?.meaning === 'bad-key';
    });
  }

  #createSessionKeeper(otherSecrets: boolean): SessionKeeper {
    const keeper = keepSessionInMemory(() => ({
      signal: new AbortController().signal,
      now: () => this.now,
      beforeRequest: (deadlineAt) => this.beforeTokenRequest(deadlineAt),
      onExchange: (exchange) => this.exchanges.push(exchange),
    }));
    // As if an operator had visited the authorization page.
    const opening =
      (renew: RenewSession): RenewSession =>
      (former, use) =>
        former === undefined && isAuthorized(this.plugin)
          ? this.authorization(otherSecrets).exchange(this.visit, use)
          : renew(former, use);
    return {
      current: (renew, wait) => keeper.current(opening(renew), wait),
      replace: (renew, refused, wait) => keeper.replace(opening(renew), refused, wait),
    };
  }

  #openOutbound(timeoutMs: number): Outbound {
    const outbound = createOutbound({ allow: [partnerNetwork], timeoutMs });
    this.#outbounds.push(outbound);
    return outbound;
  }

  #installation(otherSecrets: boolean) {
    return {
      plugin: this.plugin,
      baseUrl: partnerBaseUrl,
      settings: otherSecrets ? withOtherSecrets(this.#access.settings) : this.#settings,
      account: otherSecrets ? withOtherSecrets(this.#access.account) : this.account,
    };
  }

  get #firstGuestUpdate() {
    return this.plugin.capabilities.takes.includes('waiver') ? undefined : this.#scenarios?.guestUpdates?.[0];
  }

  #context(
    purpose: 'read' | 'guest-update',
    {
      pool = contractPool,
      signal,
      beforeRequest,
      timeoutMs = defaultTimeoutMs,
      otherSecrets = false,
      account,
    }: CallOptions,
  ) {
    const installation = this.#installation(otherSecrets);
    return createBookingSystemContext({
      ...installation,
      account: account === undefined ? installation.account : { ...Object(installation.account), ...account },
      outbound: this.#openOutbound(timeoutMs),
      pool,
      purpose,
      sessionKeeper: otherSecrets ? this.#otherSessionKeeper : this.#sessionKeeper,
      now: () => this.now,
      onExchange: (exchange) => this.exchanges.push(exchange),
      signal: signal ?? new AbortController().signal,
      beforeRequest,
    });
  }
}
