import { createHash, randomBytes } from 'node:crypto';
import type { ReceivedRequest, SimulatedAnswer } from '../http/received-request.ts';

/** An error according to RFC 6749, section 5.2. */
const tokenRefusal = (status: number, error: string, error_description: string): SimulatedAnswer => ({
  status,
  headers: { 'Cache-Control': 'no-store' },
  body: { error, error_description },
});

interface IssuedCode {
  readonly redirectUri: string;
  readonly challenge: string;
}

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
const newToken = (prefix: string) => `${prefix}-${randomBytes(24).toString('base64url')}`;

/**
 * The grants that an account gives on a simulated vendor's authorization page (RFC 6749, section 4.1; RFC 7636). Each
 * code and each refresh token is accepted once. A reused refresh token ends the grant, as in RFC 9700, section 4.14.2.
 */
export class AuthorizationGrants {
  /** Why the person does not agree, if they don't. */
  refusal: { readonly error: string; readonly error_description: string } | undefined;
  /** Whether the previous refresh token is still accepted, as some vendors do for a short time. */
  takesFormer = false;
  readonly #clientId: string;
  readonly #redirectUri: string;
  readonly #codes = new Map<string, IssuedCode>();
  #refreshToken: string | undefined;
  #formerRefreshToken: string | undefined;

  /** @param redirectUri - the only registered one */
  constructor(clientId: string, redirectUri: string) {
    this.#clientId = clientId;
    this.#redirectUri = redirectUri;
  }

  /** Answers the authorization page as if a person had logged in and agreed, or refused. */
  answerPage(path: string): SimulatedAnswer {
    const { searchParams: asked } = new URL(path, 'http://page');
    const redirectUri = asked.get('redirect_uri') ?? '';
    if (asked.get('client_id') !== this.#clientId || redirectUri !== this.#redirectUri)
      return tokenRefusal(400, 'invalid_request', 'the client or its redirect_uri is not registered');
    const challenge = asked.get('code_challenge') ?? '';
    const isAsExpected =
      asked.get('response_type') === 'code' &&
      asked.get('code_challenge_method') === 'S256' &&
      /^[\w-]{43}$/.test(challenge);
    const back = new URL(redirectUri);
    const answered = isAsExpected ? this.#decide({ redirectUri, challenge }) : { error: 'invalid_request' };
    for (const [name, value] of Object.entries(answered)) back.searchParams.set(name, value);
    const state = asked.get('state');
    if (state !== null) back.searchParams.set('state', state);
    return { status: 302, headers: { Location: back.href }, body: {} };
  }

  /** Accepts a code or a refresh token. @returns the next refresh token, or a refusal */
  take(form: URLSearchParams): { readonly refreshToken: string } | { readonly refused: SimulatedAnswer } {
    const isTaken =
      form.get('grant_type') === 'refresh_token' ? this.#takeRefreshToken(form) : this.#takeCode(form);
    if (!isTaken) return { refused: tokenRefusal(400, 'invalid_grant', 'it has ended, or was used already') };
    this.#formerRefreshToken = this.#refreshToken;
    this.#refreshToken = newToken('rt');
    return { refreshToken: this.#refreshToken };
  }

  /** Revokes the grant, as a person does by removing the app. */
  revoke(): void {
    this.#refreshToken = undefined;
    this.#formerRefreshToken = undefined;
  }

  #decide(code: IssuedCode): Readonly<Record<string, string>> {
    if (this.refusal) return { ...this.refusal };
    const issued = newToken('code');
    this.#codes.set(issued, code);
    return { code: issued };
  }

  #takeCode(form: URLSearchParams): boolean {
    const code = form.get('code') ?? '';
    const issued = this.#codes.get(code);
    this.#codes.delete(code);
    return (
      issued?.redirectUri === form.get('redirect_uri') &&
      issued?.challenge === challengeOf(form.get('code_verifier') ?? '')
    );
  }

  #takeRefreshToken(form: URLSearchParams): boolean {
    const sent = form.get('refresh_token');
    const taken = [this.#refreshToken, this.takesFormer ? this.#formerRefreshToken : undefined];
    const isTaken = sent !== null && taken.includes(sent);
    if (!isTaken) this.revoke();
    return isTaken;
  }
}

/** Access tokens that a simulated vendor has issued. */
export class IssuedTokens {
  /** The lifetime of tokens issued from now on, in seconds. */
  lifetimeSeconds: number;
  readonly #issued = new Map<string, number>();

  constructor(lifetimeSeconds: number) {
    this.lifetimeSeconds = lifetimeSeconds;
  }

  /** The number of tokens issued so far. */
  get count(): number {
    return this.#issued.size;
  }

  issue(): string {
    const token = `at-${randomBytes(24).toString('base64url')}`;
    this.#issued.set(token, Date.now() + this.lifetimeSeconds * 1_000);
    return token;
  }

  /** Whether the headers carry a bearer token that has neither expired nor been revoked. */
  accepts({ authorization = '' }: { readonly authorization?: string | undefined }): boolean {
    const token = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? '';
    return (this.#issued.get(token) ?? 0) > Date.now();
  }

  /** Ends all tokens at once, as when a vendor changes its keys. */
  revokeAll(): void {
    for (const token of this.#issued.keys()) this.#issued.set(token, 0);
  }
}

/** The client to which tokens are issued. */
export interface TokenClient {
  readonly id: string;
  readonly secret: string;
}

const unknownClient: SimulatedAnswer = {
  ...tokenRefusal(401, 'invalid_client', 'the client is not known, or its secret is wrong'),
  headers: { 'Cache-Control': 'no-store', 'WWW-Authenticate': 'Basic realm="tokens"' },
};

const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

function clientsNamedIn({ headers }: ReceivedRequest, form: URLSearchParams): TokenClient[] {
  const clients: TokenClient[] = [];
  const basic = /^Basic (\S+)$/.exec(headers.authorization ?? '')?.[1];
  if (basic !== undefined) {
    const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
    clients.push({ id: decoded(id), secret: decoded(secret) });
  }
  const secret = form.get('client_secret');
  if (secret !== null) clients.push({ id: form.get('client_id') ?? '', secret });
  return clients;
}

/** The source of tokens. */
export interface TokenSource {
  readonly client: TokenClient;
  readonly issued: IssuedTokens;
  /** A person's grants; without them, the client gets tokens with its own credentials. */
  readonly grants?: AuthorizationGrants | undefined;
}

const answerWith = ({ issued }: TokenSource, more: object = {}): SimulatedAnswer => ({
  status: 200,
  headers: { 'Cache-Control': 'no-store' },
  body: {
    access_token: issued.issue(),
    token_type: 'Bearer',
    expires_in: issued.lifetimeSeconds,
    ...more,
  },
});

function answerGrant(source: TokenSource, grants: AuthorizationGrants, form: URLSearchParams) {
  const taken = grants.take(form);
  return 'refused' in taken ? taken.refused : answerWith(source, { refresh_token: taken.refreshToken });
}

/**
 * Answers a token request strictly by RFC 6749 (2.3.1, 4.1, 4.4, 5.2, 6): a form, the client identified by HTTP Basic
 * or in the body but not both, and each parameter once.
 */
export function answerTokenRequest(request: ReceivedRequest, source: TokenSource): SimulatedAnswer {
  const { method, headers, body } = request;
  const { client, grants } = source;
  if (method !== 'POST') return tokenRefusal(405, 'invalid_request', 'tokens are asked for by POST');
  if (!/^application\/x-www-form-urlencoded(;|$)/i.test(headers['content-type'] ?? ''))
    return tokenRefusal(400, 'invalid_request', 'the body is not a form');
  const form = new URLSearchParams(body.toString());
  const names = [...form.keys()];
  if (new Set(names).size < names.length)
    return tokenRefusal(400, 'invalid_request', 'a parameter comes twice');
  const [named, another] = clientsNamedIn(request, form);
  if (another !== undefined)
    return tokenRefusal(400, 'invalid_request', 'the client authenticates in two ways');
  if (named?.id !== client.id || named.secret !== client.secret) return unknownClient;
  const grantType = form.get('grant_type') ?? '';
  if (grants !== undefined && ['authorization_code', 'refresh_token'].includes(grantType))
    return answerGrant(source, grants, form);
  if (grants !== undefined || grantType !== 'client_credentials')
    return tokenRefusal(400, 'unsupported_grant_type', 'this client may not use this grant');
  return answerWith(source);
}
