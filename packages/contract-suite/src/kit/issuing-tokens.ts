import type { SignableRequest } from '@waiver-service/core';
import type { NativeAnswer } from '../native/native-scenarios.ts';
import type { KnownAccess, TokenScenario } from '../options.ts';
import type { PartnerRequest } from './partner.ts';

/** The token endpoint of the mocked booking system. */
export class IssuingTokens {
  readonly lifetimeSeconds = 3_600;
  readonly requests: PartnerRequest[] = [];
  /** The access tokens issued so far, newest last. */
  readonly issued: string[] = [];
  /** The newest refresh token. */
  refreshToken: string | undefined;
  /** If set, the response to all further requests, instead of a token. */
  answerInstead: ((request: PartnerRequest) => NativeAnswer) | undefined;
  readonly #scenario: TokenScenario;
  readonly #signable: (request: PartnerRequest) => SignableRequest;
  readonly #access: KnownAccess;

  constructor(
    scenario: TokenScenario,
    signable: (request: PartnerRequest) => SignableRequest,
    access: KnownAccess,
  ) {
    this.#scenario = scenario;
    this.#signable = signable;
    this.#access = access;
  }

  get tokenUrl(): string {
    return this.#scenario.tokenUrl;
  }

  get refused(): NativeAnswer {
    return this.#scenario.refused;
  }

  answer(request: PartnerRequest): NativeAnswer {
    this.requests.push(request);
    if (this.answerInstead) return this.answerInstead(request);
    const { isAuthentic, issue, refused } = this.#scenario;
    const access = { ...this.#access, refreshToken: this.refreshToken };
    if (!isAuthentic(this.#signable(request), access)) return refused;
    const nth = `${this.issued.length + 1}-${'0123456789'.repeat(4)}`;
    const accessToken = `issued-access-token-${nth}`;
    this.issued.push(accessToken);
    this.refreshToken = `issued-refresh-token-${nth}`;
    return issue(accessToken, this.lifetimeSeconds, this.refreshToken);
  }
}
