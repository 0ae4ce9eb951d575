import type { Signing, SigningDraft } from '@waiver-service/forms';
import type { CheckInSession, ErrorBody, StoredSigning } from './session.ts';

/** Why a call did not do what was asked. `offline`: no answer came, so that it may have been done. */
export type RefusalCode =
  | 'offline'
  | 'unavailable'
  | 'too_many_requests'
  | 'too_large'
  | 'link_unknown'
  | 'link_expired'
  | 'link_revoked'
  | 'booking_not_found'
  | 'booking_cancelled'
  | 'no_form'
  | 'form_changed'
  | 'already_signed'
  | 'guest_not_of_link'
  | 'signing_exists'
  | 'waiver_voided'
  | 'signing_invalid'
  | 'kiosk_unknown'
  | 'kiosk_revoked'
  | 'pairing_code_wrong'
  | 'refused';

const namedByHost: readonly string[] = [
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
] satisfies RefusalCode[];
const isNamed = (code: string | undefined): code is RefusalCode =>
  code !== undefined && namedByHost.includes(code);

/** A call that did not do what was asked. */
export class Refused extends Error {
  readonly code: RefusalCode;
  readonly body: ErrorBody;

  constructor(code: RefusalCode, body: ErrorBody = {}) {
    super(code);
    this.code = code;
    this.body = body;
  }

  /** Whether the host may have stored what was sent: the same must be sent again, and nothing else. */
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

// A phone with one bar of signal may hold a call open for minutes.
const timeoutMs = 30_000;

export interface Call extends RequestInit {
  /** Of the link. */
  readonly token?: string;
  /** For how long to wait for the whole answer. */
  readonly patienceMs?: number;
}

export async function call(
  path: string,
  { token, patienceMs = timeoutMs, ...request }: Call,
): Promise<Response> {
  let response: Response;
  const headers = new Headers(request.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (request.body !== undefined) headers.set('content-type', 'application/json');
  const abort = new AbortController();
  const stop = () => abort.abort();
  const timer = setTimeout(stop, patienceMs);
  if (request.signal?.aborted) stop();
  request.signal?.addEventListener('abort', stop);
  try {
    const answer = await fetch(`/check-in/api${path}`, { ...request, headers, signal: abort.signal });
    // To its end within the time: an answer may stall after its headers.
    const content = await answer.arrayBuffer();
    response = new Response(content.byteLength === 0 ? null : content, answer);
  } catch {
    throw new Refused('offline');
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', stop);
  }
  if (response.ok) return response;
  const body: ErrorBody = await response.json().catch(() => ({}));
  throw new Refused(codeOf(response.status, body), body);
}

/** The answer's JSON; a page of a proxy is as good as no answer. */
export async function json<T>(response: Response): Promise<T> {
  try {
    return await response.json();
  } catch {
    throw new Refused('offline');
  }
}

/** Sends JSON, and reads it. @throws Refused */
export const post = async <T>(token: string, path: string, body: object): Promise<T> =>
  json(await call(path, { token, method: 'POST', body: JSON.stringify(body) }));

/** @throws Refused */
export const readSession = async (token: string, signal?: AbortSignal): Promise<CheckInSession> =>
  json(await call('/session', { token, cache: 'no-store', ...(signal && { signal }) }));

/**
 * Stores a signing; the same may be sent again.
 * @throws Refused
 */
export const sendSigning = async (
  token: string,
  signing: Signing,
  patienceMs?: number,
): Promise<StoredSigning> =>
  json(
    await call('/signings', {
      ...{ token, method: 'POST', body: JSON.stringify(signing) },
      ...(patienceMs === undefined ? {} : { patienceMs }),
    }),
  );

/**
 * Sends a signing that waited on the device. After any answer that is no error, the service has it.
 * @throws Refused
 */
export async function sendEnvelope(key: string, envelope: string): Promise<void> {
  // A page of a proxy is no answer.
  await json(await call(`/sealed-signings/${key}`, { method: 'POST', body: JSON.stringify({ envelope }) }));
}

/** A finished page of a form with several. */
export interface FinishedPage extends Pick<SigningDraft, 'language' | 'guests' | 'signer'> {
  readonly form: string;
  readonly version: number;
  readonly page: string;
}

/** @throws Refused */
export async function sendPage(
  token: string,
  signingId: string,
  page: FinishedPage,
  signal: AbortSignal,
): Promise<void> {
  await call(`/signings/${signingId}/page`, { token, method: 'PUT', body: JSON.stringify(page), signal });
}

/**
 * The guest's copy, as a page.
 * @throws Refused
 */
export async function readDocument(token: string, signingId: string): Promise<Blob> {
  const response = await call(`/signings/${signingId}/document`, { token, headers: { accept: 'text/html' } });
  return response.blob();
}
