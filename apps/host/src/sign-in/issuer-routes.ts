import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { personOfSession } from '../authentication/identify-callers.ts';
import { clearVisit, isOfConsole, setSession, setVisit, visitOf } from '../authentication/session-cookie.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { IssuerFailure, type IssuerFailureKind } from './issuer-failure.ts';
import type { IssuerSignIn } from './issuer-sign-in.ts';
import { landingOf } from './landing.ts';
import type { SignedIn } from './person-of-claims.ts';
import { type SignInPage, sendSignInPage } from './sign-in-page.ts';

const visitMs = 10 * 60_000;
const callbackPath = '/console/sign-in/callback';

const notConfigured = () =>
  new HttpProblem(404, 'sign_in_not_configured', 'Sign-in through an issuer is off: OIDC_ISSUER is not set.');

const title = 'Not signed in';

const noVisit: SignInPage = {
  status: 400,
  title,
  sentence:
    'This sign-in is not valid any more: it was used already, took more than 10 minutes, or began in another browser. Sign in again.',
};

const pages: Readonly<Record<IssuerFailureKind, (issuer: string) => SignInPage>> = {
  unreachable: (issuer) => ({
    status: 503,
    title,
    sentence: `${issuer} does not answer at the moment. Try again later. The log of this service says why.`,
  }),
  invalid: (issuer) => ({
    status: 502,
    title,
    sentence: `${issuer} gave an answer that this service cannot trust, so it was not used. The log of this service says why.`,
  }),
  refused: (issuer) => ({
    status: 403,
    title,
    sentence: `${issuer} did not let you in. Try again, or ask the administrator of your account there.`,
  }),
  'not-accepted': (issuer) => ({
    status: 502,
    title,
    sentence: `${issuer} did not confirm this sign-in: it was used already, took too long, or this service is not set up there as it should be. Sign in again; if that does not help, the log of this service says why.`,
  }),
};

const noRole = (issuer: string, name: string, refusal: string): SignInPage => ({
  status: 403,
  title: 'No role here',
  sentence: `${issuer} knows you as ${name}, but this account has no role in this service: ${refusal}. Ask an owner of the service for one, or sign in with another account.`,
});

const callbackQuerySchema = z.looseObject({
  state: z.string().max(512).optional().describe('The `state` from the URL of the issuer’s page.'),
  code: z.string().max(4096).optional().describe('Authorization code that the issuer issued.'),
  error: z.string().max(512).optional().describe('Why the issuer issued no code.'),
});

/** Signing in to the console through an OpenID Connect issuer. */
export const issuerRoutes: RouteModule = (app, { store, audit, baseUrl, issuer }) => {
  const redirectUri = () => `${baseUrl()}${callbackPath}`;

  app.route({
    config: { access: 'public' },
    method: 'GET',
    url: '/console/api/sign-in',
    schema: {
      operationId: 'readSignIn',
      tags: ['Console'],
      summary: 'Read how people can sign in other than with a token',
      response: {
        200: z.object({
          issuer: z
            .object({ name: z.string() })
            .nullable()
            .describe('The OpenID Connect issuer; null if none is configured.'),
        }),
      },
    },
    handler: async () => ({ issuer: issuer === undefined ? null : { name: issuer.displayName } }),
  });

  app.route({
    config: {
      access: 'public',
      problems: {
        403: 'The request was not sent by the console.',
        404: 'No issuer is configured.',
        502: 'The issuer’s response is invalid (`issuer_unavailable`).',
        503: 'The issuer cannot be reached (`issuer_unavailable`), or the database is temporarily unavailable.',
      },
    },
    method: 'POST',
    url: '/console/api/sign-in',
    bodyLimit: 4096,
    schema: {
      operationId: 'beginSignIn',
      tags: ['Console'],
      summary: 'Begin signing in through the OpenID Connect issuer',
      description:
        'Requires the header `X-Waiver-Console`, which other sites cannot send. Sets a cookie that ties the sign-in to this browser and is valid once, for 10 minutes.',
      body: z.strictObject({
        landing: z
          .string()
          .max(2048)
          .optional()
          .describe(
            'Page of the console to open after the sign-in; the first page if omitted or not a page of the console.',
          ),
      }),
      response: { 200: z.object({ url: z.url().describe('URL of the issuer’s page to open.') }) },
    },
    handler: async (request, reply) => {
      if (issuer === undefined) throw notConfigured();
      if (!isOfConsole(request)) {
        throw new HttpProblem(403, 'forbidden', 'A sign-in begins on the console’s own page.');
      }
      try {
        const { url, ...visit } = await issuer.client.begin(redirectUri());
        const landing = landingOf(request.body.landing, baseUrl());
        setVisit(reply, baseUrl(), store.issuerVisits.begin({ ...visit, landing }, visitMs), visitMs);
        return { url };
      } catch (error) {
        if (!(error instanceof IssuerFailure)) throw error;
        request.log.warn({ kind: error.kind }, `a sign-in could not begin: ${error.message}`);
        const { status, sentence } = pages[error.kind](issuer.displayName);
        throw new HttpProblem(status, 'issuer_unavailable', sentence);
      }
    },
  });

  async function welcome(
    { displayName, rules }: IssuerSignIn,
    { given, ...known }: SignedIn,
    landing: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    if ('refusal' in given) {
      request.log.warn({ subject: known.subject }, `a sign-in was refused: ${given.refusal}`);
      audit.recordNoRole(request, { actor: `oidc:${known.subject}`, name: known.name });
      return sendSignInPage(reply, noRole(displayName, known.name, given.refusal));
    }
    const owner = { ...known, role: given.role, pools: given.pools ?? null, rules };
    const session = await store.personSessions.startByIssuer(owner);
    await audit.recordSession(request, 'sign-in', personOfSession(owner));
    setSession(reply, baseUrl(), session);
    return reply.redirect(landing, 303);
  }

  app.route({
    config: {
      access: 'public',
      problems: {
        400: 'The sign-in began in another browser, is too old, or was already used.',
        403: 'The issuer refused the sign-in, or the account has no role in this service.',
        404: 'No issuer is configured.',
        502: 'The issuer did not accept the code, or its response is invalid.',
        503: 'The issuer cannot be reached, or the database is temporarily unavailable.',
      },
    },
    method: 'GET',
    url: callbackPath,
    // A HEAD request would end the visit.
    exposeHeadRoute: false,
    schema: {
      operationId: 'endSignIn',
      tags: ['Console'],
      summary: 'Return from the OpenID Connect issuer',
      description:
        'For browsers: redirects to the console, signed in, or returns a page that says why the sign-in failed. The `state` is valid once, for 10 minutes, in the browser that began the sign-in.',
      querystring: callbackQuerySchema,
      response: { 303: z.null().describe('Signed in: redirects to the page of the console.') },
    },
    // A page: bypasses the JSON serializer.
    serializerCompiler: () => (page) => String(page),
    handler: async (request, reply) => {
      if (issuer === undefined) throw notConfigured();
      const sealed = visitOf(request, baseUrl());
      const visit =
        sealed === undefined ? undefined : await store.issuerVisits.end(sealed, request.query.state ?? '');
      if (visit === undefined) {
        audit.recordRefusal(request);
        return sendSignInPage(reply, noVisit);
      }
      clearVisit(reply, baseUrl());
      // The redirect URI sent to the issuer; a proxy may have rewritten the path.
      const url = new URL(redirectUri());
      url.search = request.url.slice(request.url.indexOf('?'));
      try {
        const known = await issuer.client.end(url, visit);
        return await welcome(issuer, known, visit.landing, request, reply);
      } catch (error) {
        if (!(error instanceof IssuerFailure)) throw error;
        request.log.warn({ kind: error.kind }, `a sign-in ended: ${error.message}`);
        if (error.kind !== 'unreachable') audit.recordRefusal(request);
        const page = pages[error.kind](issuer.displayName);
        if (error.kind === 'unreachable') return sendSignInPage(reply, page);
        return sendSignInPage(reply, { ...page, sentence: `${page.sentence} The reason: ${error.message}.` });
      }
    },
  });
};
