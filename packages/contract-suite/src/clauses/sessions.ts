import { isBookingSystemError, RateLimited } from '@waiver-service/core';
import { codeChallengeOf } from '@waiver-service/plugin-kit';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { hasSession, isAuthorized } from '../conditions.ts';
import { expectAuthentic, expectNoLeak, expectRejection, rejectionOf } from '../expectations.ts';
import { proxyPage } from '../fixtures.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import type { NativeAnswer } from '../native/native-scenarios.ts';
import { operationsOf, succeed } from './operations.ts';
import { expectNothingShown } from './secrets.ts';

const section = 'plugin interface, sessions';
const appliesTo = hasSession;

function expectNewestToken(kit: ClauseKit): void {
  const request = kit.partner.requests.at(-1);
  expect(request && kit.isAuthentic(request), 'the last request carries the token issued last').toBe(true);
}

const refusal = { status: 401, body: { error: 'the token has ended' } };

/** Responses that contain no token, but do not mean that the credentials are wrong. */
const troubles: readonly NativeAnswer[] = [
  { status: 429, body: {} },
  { status: 500, body: { error: 'server_error' } },
  { status: 503, body: proxyPage },
  { body: proxyPage },
  { body: {} },
  { body: [] },
  { body: null },
  { body: '' },
];

/** Sessions of a booking system that issues tokens. */
export const sessionClauses: readonly Clause[] = [
  {
    id: 'session/authorization-page',
    section,
    title:
      'the authorization page gets the state, the redirect address and the PKCE challenge, and no secret',
    appliesTo: isAuthorized,
    async run(kit) {
      const { redirectUri, codeVerifier } = kit.visit;
      const codeChallenge = await codeChallengeOf(codeVerifier);
      const url = kit.authorization().url({ state: 'the state/+', redirectUri, codeChallenge });
      expect(url.protocol).toMatch(/^https?:$/);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        response_type: 'code',
        state: 'the state/+',
        redirect_uri: redirectUri,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      });
      expectNoLeak(decodeURIComponent(url.href), [...kit.secrets, codeVerifier], 'the authorization page');
    },
  },
  {
    id: 'session/one-token',
    section,
    title: 'a token is asked for once, and every request carries it',
    appliesTo,
    async run(kit) {
      for (const operation of [...operationsOf(kit), ...operationsOf(kit)]) await succeed(kit, operation);
      expect(kit.tokens.requests).toHaveLength(1);
      for (const request of kit.partner.requests) {
        expectAuthentic(kit, request);
      }
    },
  },
  {
    id: 'session/renewed-in-time',
    section,
    title: 'a token is renewed before it ends',
    appliesTo,
    async run(kit) {
      for (const operation of operationsOf(kit)) {
        await succeed(kit, operation);
        const { length } = kit.tokens.requests;
        kit.now = new Date(kit.now.getTime() + (kit.tokens.lifetimeSeconds - 1) * 1_000);
        await succeed(kit, operation);
        expect(kit.tokens.requests.length, `token requests for a ${operation.name}`).toBe(length + 1);
        expectNewestToken(kit);
      }
    },
  },
  {
    id: 'session/renewed-after-refusal',
    section,
    title: 'a request that is refused with 401 is repeated with a new token, and the call succeeds',
    appliesTo,
    async run(kit) {
      kit.partner.repeatRefusals(() => false);
      for (const operation of operationsOf(kit)) {
        const [first] = operation.answers(kit);
        if (first === undefined) continue;
        await succeed(kit, operation);
        const { length } = kit.tokens.requests;
        kit.partner.willAnswer(first.method, refusal);
        await succeed(kit, operation);
        expect(kit.tokens.requests.length, `token requests for a ${operation.name}`).toBe(length + 1);
        expectNewestToken(kit);
      }
    },
  },
  {
    id: 'session/refused-twice',
    section,
    title: 'a second 401 in a row is AuthenticationRejected, and not a third request',
    appliesTo,
    async run(kit) {
      for (const operation of operationsOf(kit)) {
        const [first] = operation.answers(kit);
        if (first === undefined) continue;
        const { length } = kit.partner.requests;
        kit.partner.willAnswer(first.method, refusal);
        await expectRejection(operation.run(kit), 'booking_system_auth_rejected');
        expect(kit.partner.requests).toHaveLength(length + 2);
      }
    },
  },
  {
    id: 'session/credentials-refused',
    section,
    title:
      'credentials that the token endpoint refuses are AuthenticationRejected, and no other request is made',
    appliesTo,
    async run(kit) {
      kit.tokens.answerInstead = () => kit.tokens.refused;
      for (const operation of operationsOf(kit))
        await expectRejection(operation.run(kit), 'booking_system_auth_rejected');
      expect(kit.partner.requests).toEqual([]);
    },
  },
  {
    id: 'session/token-trouble',
    section,
    title: 'trouble at the token endpoint is not taken for refused credentials, and passes',
    appliesTo,
    async run(kit) {
      for (const answer of troubles) {
        kit.tokens.answerInstead = () => answer;
        const error = await rejectionOf(kit.read());
        if (!isBookingSystemError(error)) {
          throw new Error("the call should have been rejected with one of core's errors", { cause: error });
        }
        expect(error.code, `after ${JSON.stringify(answer)}`).not.toBe('booking_system_auth_rejected');
      }
      expect(kit.partner.requests).toEqual([]);
      kit.tokens.answerInstead = undefined;
      for (const operation of operationsOf(kit)) await succeed(kit, operation);
    },
  },
  {
    id: 'session/other-secret',
    section,
    title: 'an account with other secrets gets no token',
    appliesTo,
    async run(kit) {
      for (const operation of operationsOf(kit))
        await rejectionOf(operation.run(kit, { otherSecrets: true }));
      expect(kit.tokens.requests.length, 'token requests').toBeGreaterThan(0);
      expect(kit.tokens.issued).toEqual([]);
    },
  },
  {
    id: 'session/held-back',
    section,
    title: 'a token request that is held back rejects with that error, so that the call is made later',
    appliesTo,
    async run(kit) {
      kit.beforeTokenRequest = async () => {
        throw new RateLimited('the limits are used up', { notSent: true, retryAfterMs: 700 });
      };
      for (const operation of operationsOf(kit)) {
        await expectRejection(operation.run(kit), 'booking_system_rate_limited', {
          notSent: true,
          retryAfterMs: 700,
        });
      }
      expect(kit.tokens.requests).toEqual([]);
    },
  },
  {
    id: 'session/secrets',
    section,
    title: 'no error of a token request shows a secret that it sent or a token that came back',
    appliesTo,
    async run(kit) {
      const cameBack = 'came-back-token-0123456789-0123456789';
      for (const status of [200, 400, 401, 403, 500]) {
        kit.tokens.answerInstead = () => ({
          status,
          body: { error: kit.secrets.join(' '), message: kit.secrets.join(), refresh_token: cameBack },
        });
        const error = await rejectionOf(kit.read());
        const { code, codeVerifier } = kit.visit;
        const further = [cameBack, code, codeVerifier];
        expectNothingShown(kit, error, `a token request with status ${status}`, further);
      }
    },
  },
];
