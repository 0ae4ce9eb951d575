import type { AnswerOf, readCheckInSession, sign } from '@waiver-service/api';
import type { PublishedForm, Signing, SigningProblem } from '@waiver-service/forms';
import type { SealingKey } from '@waiver-service/forms/envelope';

type LinkSession = AnswerOf<typeof readCheckInSession>;

/** A booking's guest, as the link shows them: first name and initial. */
export type BookedGuest = Readonly<LinkSession['guests'][number]>;

/** The session that the page shows: one that a link opens, or that a kiosk makes from its day. */
export interface CheckInSession {
  readonly pool: LinkSession['pool'];
  readonly link: {
    readonly kind: LinkSession['link']['kind'] | 'kiosk';
    readonly expiresAt: LinkSession['link']['expiresAt'];
  };
  readonly booking: null | {
    readonly reference: string;
    readonly sessions: readonly NonNullable<LinkSession['booking']>['sessions'][number][];
  };
  readonly guests: readonly BookedGuest[];
  readonly day: { readonly date: string; readonly activities: readonly string[]; readonly timeZone?: string };
  readonly form: PublishedForm;
  /** How returning guests are recognized; null: everyone signs. */
  readonly returning?: LinkSession['returning'];
  readonly sealing: SealingKey;
}

/** Whether guests may share the device, so that the browser must not keep what one types and offer it to the next. */
export const isShared = ({ link }: Pick<CheckInSession, 'link'>): boolean =>
  link.kind === 'kiosk' || link.kind === 'desk';

/** The response once a signing is stored. */
export type StoredSigning = Pick<AnswerOf<typeof sign>, 'id' | 'receivedAt' | 'copy'>;

interface ErrorBody {
  readonly code?: string;
  readonly form?: PublishedForm;
  readonly problems?: readonly SigningProblem[];
}

const namedByHost = [
  'link_unknown',
  'link_expired',
  'link_revoked',
  'booking_not_found',
  'booking_cancelled',
  'no_form',
  'form_changed',
  'already_signed',
  'guest_not_of_link',
  'signing_exists',
  'waiver_voided',
  'signing_invalid',
  'kiosk_unknown',
  'kiosk_revoked',
  'pairing_code_wrong',
] as const;
type NamedByHost = (typeof namedByHost)[number];
const isNamed = (code: string | undefined): code is NamedByHost => namedByHost.some((name) => name === code);

/** Why a call failed. `offline`: no response arrived, so the call may have taken effect. */
export type RefusalCode =
  | 'offline'
  | 'unavailable'
  | 'too_many_requests'
  | 'too_large'
  | 'refused'
  | NamedByHost;

/** A failed call. */
export class Refused extends Error {
  readonly code: RefusalCode;
  readonly body: ErrorBody;
  /** How long the host asks to wait before the next attempt. */
  readonly retryAfterMs: number;

  constructor(code: RefusalCode, body: ErrorBody = {}, retryAfterMs = 0) {
    super(code);
    this.code = code;
    this.body = body;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the host may have stored the data: only the same data may be sent again. */
  get isUncertain(): boolean {
    return this.code === 'offline' || this.code === 'unavailable';
  }
}

function codeOf(status: number, { code }: ErrorBody): RefusalCode {
  if (isNamed(code)) return code;
  if (status === 429) return 'too_many_requests';
  if (status === 413) return 'too_large';
  if (status >= 500) return 'unavailable';
  return status === 401 || status === 404 ? 'link_unknown' : 'refused';
}

// With a weak signal, a phone may hold a call open for minutes.
const defaultTimeoutMs = 30_000;
/** The least speed that the host accepts: a body has as long as it takes with that. */
const minBytesPerMs = 16;

interface Call extends Omit<RequestInit, 'body'> {
  /** The link's token, or the kiosk's credential. */
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: object;
  /** The timeout for the whole response. */
  readonly timeoutMs?: number | undefined;
}

export async function call(
  path: string,
  { token, timeoutMs, body: sent, ...request }: Call,
): Promise<Response> {
  let response: Response;
  const body = sent && JSON.stringify(sent);
  const headers = new Headers(request.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const abort = new AbortController();
  const stop = () => abort.abort();
  const timer = setTimeout(stop, timeoutMs ?? defaultTimeoutMs + (body?.length ?? 0) / minBytesPerMs);
  if (request.signal?.aborted) stop();
  request.signal?.addEventListener('abort', stop);
  try {
    const answer = await fetch(`/check-in/api${path}`, { ...request, headers, body, signal: abort.signal });
    compareClocks(answer);
    // Read the body within the timeout: a response may stall after its headers.
    const content = await answer.arrayBuffer();
    response = new Response(content.byteLength === 0 ? null : content, answer);
  } catch {
    throw new Refused('offline');
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', stop);
  }
  if (response.ok) return response;
  const problem: ErrorBody = await response.json().catch(() => ({}));
  const retryAfterMs = Number(response.headers.get('retry-after')) * 1_000 || 0;
  throw new Refused(codeOf(response.status, problem), problem, retryAfterMs);
}

/** The response's JSON. Anything else, such as a proxy's page, counts as no response. */
export async function json<T>(response: Response): Promise<T> {
  try {
    return await response.json();
  } catch {
    throw new Refused('offline');
  }
}

/** Posts JSON and returns the response's JSON. @throws Refused */
export const post = async <T>(
  token: string | undefined,
  path: string,
  body: object,
  timeoutMs?: number,
): Promise<T> => json(await call(path, { token, method: 'POST', body, timeoutMs }));

/** @throws Refused */
export const readSession = async (token: string, signal?: AbortSignal): Promise<CheckInSession> =>
  json(await call('/session', { token, cache: 'no-store', signal }));

/**
 * Sends a signing that waited on the device. Once this resolves, the service has it.
 * @returns the link to the copy; undefined if staff must look at the signing first
 * @throws Refused
 */
export async function sendEnvelope(key: string, envelope: string): Promise<string | undefined> {
  // Parsing rejects a proxy's page.
  const { copy } = await post<Partial<StoredSigning>>(undefined, `/sealed-signings/${key}`, { envelope });
  return copy?.url;
}

/** A finished page of a multi-page form. */
export type FinishedPage = Pick<Signing, 'form' | 'version' | 'language' | 'guests' | 'signer'> & {
  readonly page: string;
};

/*
 * The service's time on this device. A device's clock may be a day off, and guests may change it: no date is taken from
 * it. Each answer of the service tells its time; the difference is kept, also for a page that opens without signal.
 */

interface Comparison {
  /** By how many milliseconds the device's clock is ahead of the service's. */
  readonly aheadMs: number;
  /** The service's time then. Milliseconds since 1970. */
  readonly at: number;
}

const key = 'check-in-clock';
let last: Comparison | undefined;

function compared(): Comparison | undefined {
  if (last !== undefined) return last;
  try {
    last = JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    // No access: known until the page is closed.
  }
  return last;
}

/** Compares the clocks by an answer of the service. */
export function compareClocks({ headers }: Response): void {
  const at = Date.parse(headers.get('date') ?? '');
  // A proxy's page says nothing of the service.
  if (Number.isNaN(at) || !headers.get('content-type')?.startsWith('application/json')) return;
  last = { aheadMs: Date.now() - at, at };
  try {
    localStorage.setItem(key, JSON.stringify(last));
  } catch {
    // As above.
  }
}

/** By how many milliseconds this device's clock was ahead when last compared; undefined if it never was. */
export const clockAheadMs = (): number | undefined => compared()?.aheadMs;

/** The service's time: never before its last answer. The device's as long as there was none. */
export function serviceNow(): Date {
  const { aheadMs, at } = compared() ?? { aheadMs: 0, at: 0 };
  return new Date(Math.max(at, Date.now() - aheadMs));
}
