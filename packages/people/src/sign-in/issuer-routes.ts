import { beginSignIn, endSignIn, readSignIn } from '@waiver-service/api';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { escapeHtml, HttpProblem, sendCardPage } from '@waiver-service/http';
import { BaseUrl } from '@waiver-service/integration';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import { RequestAudit } from '../audit/audit-requests.ts';
import {
  clearVisit,
  isOfConsole,
  personOfSession,
  setSession,
  setVisit,
  visitOf,
} from '../authentication/identify-callers.ts';
import { PeopleStore } from '../data/people-store.ts';
import { IssuerFailure, type IssuerFailureKind, IssuerSignIn } from './issuer-client.ts';
import type { SignedIn } from './person-of-claims.ts';

/** A page that says why a sign-in failed. The texts are plain. */
interface SignInPage {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
}

/** Responds with a page of text, without scripts and forms. */
const sendSignInPage = (reply: FastifyReply, { status, title, sentence }: SignInPage) =>
  sendCardPage(reply.header('cross-origin-opener-policy', 'same-origin'), {
    status,
    title,
    body: `<p>${escapeHtml(sentence)}</p><p><a href="/console/">Back to the sign-in page</a></p>`,
  });

const consolePage = '/console/';
// The browser keeps it, encrypted, in a cookie of at most 4 KiB.
const maxLength = 1_024;

/**
 * The page of the console to open after the sign-in. Anything else, or a longer address, leads to the first page: no link
 * can make a sign-in end on another site.
 */
function landingOf(page: string | undefined, baseUrl: string): string {
  const { origin } = new URL(baseUrl);
  const url = page === undefined ? null : URL.parse(page, origin);
  if (url === null || url.origin !== origin || !url.pathname.startsWith(consolePage)) return consolePage;
  const landing = `${url.pathname}${url.search}`;
  return landing.length > maxLength ? consolePage : landing;
}

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

/** Signing in to the console through an OpenID Connect issuer. */
@injectable()
export class IssuerRoutes implements RouteModule {
  constructor(
    @inject(BaseUrl) private readonly baseUrl: BaseUrl,
    @inject(PeopleStore) private readonly store: PeopleStore,
    @inject(RequestAudit) private readonly audit: RequestAudit,
    @inject(IssuerSignIn) private readonly issuer: IssuerSignIn | undefined,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, audit, baseUrl, issuer } = this;

    const redirectUri = () => `${baseUrl()}${callbackPath}`;

    app.route({
      ...readSignIn,
      handler: async () => ({ issuer: issuer === undefined ? null : { name: issuer.displayName } }),
    });

    app.route({
      ...beginSignIn,
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
      ...endSignIn,
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
          return sendSignInPage(reply, {
            ...page,
            sentence: `${page.sentence} The reason: ${error.message}.`,
          });
        }
      },
    });
  }
}
