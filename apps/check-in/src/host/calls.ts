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

async function call(token: string, path: string, request: RequestInit = {}): Promise<Response> {
  let response: Response;
  const headers = new Headers(request.headers);
  headers.set('authorization', `Bearer ${token}`);
  if (request.body !== undefined) headers.set('content-type', 'application/json');
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeoutMs);
  request.signal?.addEventListener('abort', () => abort.abort());
  try {
    response = await fetch(`/check-in/api${path}`, { ...request, headers, signal: abort.signal });
  } catch {
    throw new Refused('offline');
  } finally {
    clearTimeout(timer);
  }
  if (response.ok) return response;
  const body: ErrorBody = await response.json().catch(() => ({}));
  throw new Refused(codeOf(response.status, body), body);
}

/** The answer's JSON; an answer that broke off, or a page of a proxy, is as good as none. */
async function json<T>(response: Response): Promise<T> {
  try {
    return await response.json();
  } catch {
    throw new Refused('offline');
  }
}

/** @throws Refused */
export const readSession = async (token: string): Promise<CheckInSession> =>
  json(await call(token, '/session', { cache: 'no-store' }));

/**
 * Stores a signing; the same may be sent again.
 * @throws Refused
 */
export const sendSigning = async (token: string, signing: Signing): Promise<StoredSigning> =>
  json(await call(token, '/signings', { method: 'POST', body: JSON.stringify(signing) }));

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
  await call(token, `/signings/${signingId}/page`, { method: 'PUT', body: JSON.stringify(page), signal });
}

/**
 * The guest's copy, as a page.
 * @throws Refused
 */
export async function readDocument(token: string, signingId: string): Promise<Blob> {
  const response = await call(token, `/signings/${signingId}/document`, {
    headers: { accept: 'text/html' },
  });
  return response.blob();
}
