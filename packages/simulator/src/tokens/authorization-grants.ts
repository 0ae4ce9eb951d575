import { createHash, randomBytes } from 'node:crypto';
import type { SimulatedAnswer } from '../http/received-request.ts';

/** An error according to RFC 6749, section 5.2. */
export const tokenRefusal = (status: number, error: string, error_description: string): SimulatedAnswer => ({
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
