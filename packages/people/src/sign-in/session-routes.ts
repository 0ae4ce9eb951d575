import { createSignInLink, readSignInLink, signIn, signOut } from '@waiver-service/api';
import type { HostApp, Person, RouteModule } from '@waiver-service/http';
import { HttpProblem } from '@waiver-service/http';
import { BaseUrl } from '@waiver-service/integration';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import { RequestAudit } from '../audit/audit-requests.ts';
import {
  AdminSeal,
  CallerIdentification,
  clearSession,
  personOfSession,
  sessionOf,
  setSession,
} from '../authentication/identify-callers.ts';
import { PeopleStore } from '../data/people-store.ts';

const signInLinkMs = 15 * 60_000;

const codeIsOver = () =>
  new HttpProblem(401, 'unauthorized', 'This link was used before, or is too old: ask for a new one.');

function requirePerson(caller: { readonly kind: string } | null): asserts caller is Person {
  if (caller?.kind === 'person') return;
  throw new HttpProblem(403, 'forbidden', 'This is the token of a waiver app, not of a person.');
}

/**
 * The credential that sessions and links are for; null for the admin token.
 * @throws HttpProblem 403 for a person of the issuer, who has no credential
 */
function credentialOf(proof: Person['proof']): string | null {
  if (proof === 'issuer') {
    throw new HttpProblem(
      403,
      'forbidden',
      'Sign-in links are for people with a credential: open the console and sign in through the issuer.',
    );
  }
  return proof === 'admin-token' ? null : proof.credential;
}

@injectable()
export class SessionRoutes implements RouteModule {
  constructor(
    @inject(BaseUrl) private readonly baseUrl: BaseUrl,
    @inject(PeopleStore) private readonly store: PeopleStore,
    @inject(RequestAudit) private readonly audit: RequestAudit,
    @inject(AdminSeal) private readonly adminSeal: AdminSeal,
    @inject(CallerIdentification) private readonly identification: CallerIdentification,
  ) {}

  addRoutes(app: HostApp): void {
    const { identification, adminSeal, audit, baseUrl } = this;
    const { personSessions } = this.store;

    /** Starts a session for a token's owner. @returns its cookie; undefined if the credential has ended meanwhile */
    async function startFor({ proof }: Person): Promise<string | undefined> {
      const credential = credentialOf(proof);
      const session = await personSessions.start(credential);
      return session !== undefined && credential === null ? adminSeal.seal(session) : session;
    }

    /** Starts a session by the code of a link. @returns its cookie; undefined if the code is no longer valid */
    async function startByCode(code: string): Promise<string | undefined> {
      const { secret, isSealed } = adminSeal.open(code);
      const session = await personSessions.startByCode(secret);
      // A code of a previous admin token gets a session without a seal, which is rejected.
      return session !== undefined && isSealed ? adminSeal.seal(session) : session;
    }

    /** The person whom a code would sign in; undefined if it is no longer valid. */
    async function personOfCode(code: string): Promise<Person | undefined> {
      const { secret, isSealed } = adminSeal.open(code);
      const found = await personSessions.ownerOfCode(secret);
      if (found === undefined || (found.owner === null && !isSealed)) return undefined;
      return personOfSession(found.owner);
    }

    /** Ends the session that the browser has. */
    async function endSession(request: FastifyRequest): Promise<void> {
      const former = sessionOf(request, baseUrl());
      const person = former === undefined ? undefined : await identification.ofSession(former);
      if (former === undefined || person === undefined) return;
      await personSessions.end(adminSeal.open(former).secret);
      await audit.recordSession(request, 'sign-out', person);
    }

    app.route({
      ...readSignInLink,
      handler: async (request) => {
        const { code } = request.body;
        const person = await personOfCode(code);
        if (person !== undefined) return { name: person.name, role: person.role };
        identification.recordFailure(request, code);
        throw codeIsOver();
      },
    });

    app.route({
      ...signIn,
      handler: async (request, reply) => {
        const { body } = request;
        let session: string | undefined;
        if ('code' in body) {
          session = await startByCode(body.code);
        } else {
          const caller = await identification.ofToken(request, body.token);
          requirePerson(caller);
          session = await startFor(caller);
        }
        const person = session === undefined ? undefined : await identification.ofSession(session);
        if (session === undefined || person === undefined) {
          if ('code' in body) identification.recordFailure(request, body.code);
          throw codeIsOver();
        }
        await endSession(request);
        await audit.recordSession(request, 'sign-in', person);
        setSession(reply, baseUrl(), session);
        return reply.code(204).send(null);
      },
    });

    app.route({
      ...signOut,
      handler: async (request, reply) => {
        await endSession(request);
        clearSession(reply, baseUrl());
        return reply.code(204).send(null);
      },
    });

    app.route({
      ...createSignInLink,
      handler: async ({ caller }, reply) => {
        requirePerson(caller);
        const credential = credentialOf(caller.proof);
        const expiresAt = new Date(Date.now() + signInLinkMs).toISOString();
        const created = await personSessions.createCode(credential, signInLinkMs);
        const code = credential === null ? adminSeal.seal(created) : created;
        return reply.code(201).send({ url: `${baseUrl()}/console/#code=${code}`, expiresAt });
      },
    });
  }
}
