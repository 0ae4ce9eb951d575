import type { HostApp } from '@waiver-service/http';
import {
  countedAddress,
  inPath,
  isPerson,
  isReading,
  type Person,
  type PoolAccessServices,
  ResourcePools,
} from '@waiver-service/http';
import { textField } from '@waiver-service/integration';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import type { AuditedRequest, AuditLog } from '../data/audit-log.ts';
import { PeopleStore } from '../data/people-store.ts';

const repeatedWithinMs = 60_000;
const maxRemembered = 10_000;

interface Remembered {
  readonly status: number;
  readonly until: number;
}

/** Remembers for a minute how requests ended, so that equal ones need not be recorded each time. */
interface RecentRequests {
  /** The status that an equal request had within the last minute. */
  statusOf(key: string): number | undefined;
  remember(key: string, status: number): void;
}

/** @param now - milliseconds of a clock */
export function createRecentRequests(now: () => number = () => performance.now()): RecentRequests {
  const remembered = new Map<string, Remembered>();
  return {
    statusOf(key) {
      const last = remembered.get(key);
      return last !== undefined && last.until > now() ? last.status : undefined;
    },
    remember(key, status) {
      // In insertion order: the oldest entry is evicted first.
      remembered.delete(key);
      remembered.set(key, { status, until: now() + repeatedWithinMs });
      const [oldest] = remembered.keys();
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
    },
  };
}

const windowMs = 3_600_000;

/** The maximum number of refused sign-ins from one network that are recorded within an hour. */
export const maxRefusalsOfNetwork = 5;
/** The same for all networks together. */
export const maxRefusalsPerHour = 200;

/** The network of an address in the form of `countedAddress`: the first 24 bits of IPv4, 48 of IPv6. */
const networkOf = (address: string) => address.replace(/[.:][^.:]*$/, '');

/**
 * Creates a function that decides whether the refusal of a key (an address or an account) is recorded: each key once an
 * hour, within {@link maxRefusalsOfNetwork} and {@link maxRefusalsPerHour}. A stranger must not be able to fill a log
 * that keeps everything, or to hide others' refusals.
 * @param now - milliseconds of a clock
 */
export function createRefusalLimit(
  now: () => number = () => performance.now(),
): (key: string, network?: string) => boolean {
  let recorded = new Set<string>();
  let ofNetwork = new Map<string, number>();
  let endsAt = 0;
  return (key, network = networkOf(key)) => {
    if (now() >= endsAt) {
      recorded = new Set();
      ofNetwork = new Map();
      endsAt = now() + windowMs;
    }
    const count = ofNetwork.get(network) ?? 0;
    if (recorded.has(key) || count === maxRefusalsOfNetwork || recorded.size === maxRefusalsPerHour)
      return false;
    recorded.add(key);
    ofNetwork.set(network, count + 1);
    return true;
  };
}

/**
 * The action of an operation in the audit log, from its id in the OpenAPI document: `createInstallKey` is
 * `install-key.create`. So every route has an action without declaring one.
 */
export function actionOf(operationId: string): string {
  const [verb = operationId, ...noun] = operationId.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  return noun.length === 0 ? verb : `${noun.join('-')}.${verb}`;
}

// Long enough for every id; only the name of a booking system that does not exist can be longer.
const maxTargetLength = 512;

declare module 'fastify' {
  interface FastifyRequest {
    /** This request's entry in the audit log, until the request has ended. */
    auditing: Auditing | null;
  }
}

interface Auditing {
  readonly request: AuditedRequest;
  /** Equal for requests that need not be recorded each time; `undefined` for most changes by people. */
  readonly repeatKey: string | undefined;
  /** `undefined` if no entry was written, because an equal request has just been recorded. */
  readonly entryId: string | undefined;
}

interface Services extends PoolAccessServices {
  readonly store: { readonly auditLog: AuditLog };
}

type Actor = Pick<AuditedRequest, 'actor' | 'name'>;

/** The actor of a request that belongs in the audit log; `undefined` for one that does not. */
function actorOf({ caller, method, routeOptions }: FastifyRequest): Actor | undefined {
  // Waiver apps, guests and kiosks act for one pool.
  if (caller === null || caller.pool !== undefined) return undefined;
  if (isReading(method) && !routeOptions.config.audited) return undefined;
  return { actor: caller.actor, name: caller.name };
}

/** The pools of a request without a pool in its path. */
async function poolsOf(services: Services, request: FastifyRequest) {
  const { caller, routeOptions } = request;
  const { poolCheck } = routeOptions.config;
  if (poolCheck === undefined || poolCheck === 'none') return undefined;
  if (poolCheck === 'by-handler') return isPerson(caller) ? caller.pools : undefined;
  return services.resourcePools(poolCheck, inPath(request, 'id') ?? '');
}

/** The single pool of a request. */
async function poolOf(services: Services, request: FastifyRequest): Promise<string | null> {
  const named =
    inPath(request, 'pool') ?? textField(request.body, 'pool') ?? textField(request.query, 'pool');
  if (named !== undefined) return named.slice(0, maxTargetLength);
  const pools = await poolsOf(services, request);
  if (pools === undefined || pools === 'all') return null;
  const [first, ...others] = pools;
  return first === undefined || others.length > 0 ? null : first;
}

/** The ids in the path besides the pool, or the waiver that the query names. */
function targetOf({ params, query }: FastifyRequest): string | null {
  const ids = Object.entries(Object(params)).flatMap(([name, value]) => (name === 'pool' ? [] : [value]));
  const names = ids.length === 0 ? [textField(query, 'waiverId') ?? []].flat() : ids;
  return names.length === 0 ? null : names.join('/').slice(0, maxTargetLength);
}

/** Appends the id of a created resource to the target. */
function targetAfter(target: string | null, status: number, payload: unknown): string | null {
  if ((status !== 201 && status !== 202) || typeof payload !== 'string') return target;
  const answer: unknown = JSON.parse(payload);
  const created = textField(answer, 'id') ?? textField(answer, 'recoveryId');
  if (created === undefined) return target;
  return target === null ? created : `${target}/${created}`;
}

const ofNothing = { pool: null, target: null } as const;

/**
 * The audit log of this host's requests. Records every change by people and booking systems' install keys, their reads of guests' data, and what a person is
 * refused for their role or pools. A person's change is recorded before it is made, and is not made if it cannot be
 * recorded; its outcome is added afterwards. Waiver apps are not recorded.
 *
 * Reads, refusals, installs by a key, and drafts of a form are not recorded again if an equal one of the last minute
 * ended the same way.
 */
@injectable()
export class RequestAudit {
  private readonly recent = createRecentRequests();
  private readonly isRecorded = createRefusalLimit();
  private readonly isAccountRecorded = createRefusalLimit();
  private readonly auditedOf = async (request: FastifyRequest, by: Actor): Promise<AuditedRequest> => ({
    actor: by.actor,
    name: by.name,
    action: actionOf(request.routeOptions.schema?.operationId ?? ''),
    pool: await poolOf(this, request),
    target: targetOf(request),
    requestId: request.id,
    address: request.ip,
  });

  constructor(
    @inject(PeopleStore) readonly store: PeopleStore,
    @inject(ResourcePools) readonly resourcePools: ResourcePools,
  ) {}

  /** Records the requests of an app. */
  watch(app: HostApp): void {
    app.decorateRequest('auditing', null);
    app.addHook('preHandler', (request, _reply, done) => {
      const by = actorOf(request);
      if (by === undefined) {
        done();
        return;
      }
      this.begin(request, by).then((auditing) => {
        request.auditing = auditing;
        done();
      }, done);
    });
    app.addHook('onSend', (request, { statusCode }, payload, done) => {
      const { auditing, caller, log } = request;
      const forbidden = auditing === null && statusCode === 403 && isPerson(caller) ? caller : undefined;
      if (auditing === null && forbidden === undefined) {
        done(null, payload);
        return;
      }
      // Only once, even if this response fails and another one replaces it.
      request.auditing = null;
      const ending = forbidden
        ? this.addForbidden(request, forbidden)
        : auditing && this.end(auditing, statusCode, payload);
      Promise.resolve(ending)
        .catch((error: unknown) => {
          log.error({ err: error }, 'the outcome of this request could not be added to the audit log');
        })
        .finally(() => done(null, payload));
    });
  }

  /** A person's sign-in to the console, or sign-out. */
  async recordSession(
    request: FastifyRequest,
    action: 'sign-in' | 'sign-out',
    { actor, name }: Person,
  ): Promise<void> {
    const entry = { actor, name, action, ...ofNothing, requestId: request.id, address: request.ip };
    await this.store.auditLog.add(entry, { status: 204, target: null });
  }

  /** A refused token or issuer sign-in, rate limited per address. */
  recordRefusal(request: FastifyRequest): void {
    if (!this.isRecorded(countedAddress(request.ip))) return;
    this.refuse(request, { actor: 'unknown', name: null }, 401);
  }

  /** An issuer account without a role, rate limited per account. */
  recordNoRole(request: FastifyRequest, account: Actor): void {
    if (this.isAccountRecorded(account.actor, account.actor)) this.refuse(request, account, 403);
  }

  private async begin(request: FastifyRequest, by: Actor): Promise<Auditing> {
    const { caller, method, routeOptions } = request;
    const audited = await this.auditedOf(request, by);
    const { requestId: _, ...equal } = audited;
    const mayRepeat =
      isReading(method) ||
      caller?.kind === 'booking-system' ||
      routeOptions.config.audited === 'once-a-minute';
    const repeatKey = mayRepeat ? JSON.stringify(equal) : undefined;
    const isRepeated = repeatKey !== undefined && this.recent.statusOf(repeatKey) !== undefined;
    return {
      request: audited,
      repeatKey,
      entryId: isRepeated ? undefined : await this.store.auditLog.begin(audited),
    };
  }

  private async end(
    { request, repeatKey, entryId }: Auditing,
    status: number,
    payload: unknown,
  ): Promise<void> {
    const outcome = { status, target: targetAfter(request.target, status, payload) };
    if (entryId !== undefined) await this.store.auditLog.end(entryId, outcome);
    else if (repeatKey !== undefined && this.recent.statusOf(repeatKey) !== status)
      await this.store.auditLog.add(request, outcome);
    else return;
    if (repeatKey !== undefined) this.recent.remember(repeatKey, status);
  }

  /** Records a request that a person was refused (403) before its entry was begun. */
  private async addForbidden(request: FastifyRequest, person: Person): Promise<void> {
    const audited = await this.auditedOf(request, person);
    // Ignores the target: otherwise each one would make an entry.
    const { requestId: _, target: __, ...equal } = audited;
    const repeatKey = JSON.stringify(equal);
    if (this.recent.statusOf(repeatKey) === 403) return;
    this.recent.remember(repeatKey, 403);
    await this.store.auditLog.add(audited, { status: 403, target: audited.target });
  }

  private refuse(request: FastifyRequest, account: Actor, status: number): void {
    const { id: requestId, ip: address } = request;
    const refused = { ...account, action: 'sign-in.refuse', ...ofNothing, requestId, address };
    // Not awaited: a stranger's request must not take anyone else's time.
    this.store.auditLog.add(refused, { status, target: null }).catch((error: unknown) => {
      request.log.error({ err: error }, 'a refused sign-in could not be added to the audit log');
    });
  }
}
