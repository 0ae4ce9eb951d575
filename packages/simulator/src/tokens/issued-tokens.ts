import { randomBytes } from 'node:crypto';

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
