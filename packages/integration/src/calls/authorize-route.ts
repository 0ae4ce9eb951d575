import { type authorizationQuerySchema, endAuthorization } from '@waiver-service/api';
import { isBookingSystemError } from '@waiver-service/core';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { escapeHtml } from '@waiver-service/http';
import type { FastifyReply } from 'fastify';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { BaseUrl } from '../given.ts';
import {
  AuthorizationVisits,
  authorizingBrowserOf,
  type EndedVisit,
} from '../plugins/authorization-visits.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { AuthorizationNotStored } from '../plugins/session-renewals.ts';
import { KeyThrottle } from './install-key.ts';

/** A page of plain text. */
interface Page {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
}

/** The policy of a page that has nothing but text. */
const pagePolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** A page of text, without styles, scripts or links. */
const pageOf = ({ title, sentence }: Page): string =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body><h1>${escapeHtml(title)}</h1><p>${escapeHtml(sentence)}</p></body>
</html>
`;

const maxShown = 300;

const noVisit: Page = {
  status: 400,
  title: 'Not authorized',
  sentence:
    'This link is not valid: it was used already, is too old, a newer one was made, or it was made in another browser. Make a new one in the console, and open it in the same browser.',
};

type Query = z.infer<typeof authorizationQuerySchema>;

/** The reason that the booking system gives in place of a code. */
function refusalIn({ code, error, error_description: description }: Query): string | undefined {
  if (error === undefined && code !== undefined && code !== '') return undefined;
  const reasons = [error, description].filter((part) => part !== undefined && part !== '');
  return reasons.length === 0 ? 'it gave no code' : reasons.join(': ').slice(0, maxShown);
}

async function pageAfter(visit: EndedVisit, query: Query, path: string): Promise<Page> {
  const { displayName } = visit.connection.plugin;
  const title = 'Not authorized';
  const refusal = refusalIn(query);
  if (refusal !== undefined) {
    const sentence = `${displayName} did not authorize this service: ${refusal}. Ask for a new link to try again.`;
    return { status: 400, title, sentence };
  }
  try {
    await visit.openSession({ code: query.code ?? '', path });
  } catch (error) {
    if (error instanceof AuthorizationNotStored) {
      const sentence = `${displayName} has authorized this service, but that could not be stored. Ask for a new link to try again.`;
      return { status: 503, title, sentence };
    }
    if (!isBookingSystemError(error)) throw error;
    const sentence = `${displayName} gave a code, but then no token: ${error.message.slice(0, maxShown)}. Ask for a new link to try again.`;
    return { status: 502, title, sentence };
  }
  const sentence = `${displayName} has authorized this service. You can close this page.`;
  return { status: 200, title: 'Authorized', sentence };
}

const sendPage = (reply: FastifyReply, page: Page) =>
  reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', pagePolicy)
    .send(pageOf(page));

/** Where a booking system's authorization page sends an operator's browser back to. */
@injectable()
export class AuthorizeRoute implements RouteModule {
  constructor(
    @inject(BaseUrl) private readonly baseUrl: BaseUrl,
    @inject(BookingSystemResolver) private readonly bookingSystems: BookingSystemResolver,
    @inject(AuthorizationVisits) private readonly authorizationVisits: AuthorizationVisits,
    @inject(KeyThrottle) private readonly keyThrottle: KeyThrottle,
  ) {}

  addRoutes(app: HostApp): void {
    const { bookingSystems, authorizationVisits, keyThrottle, baseUrl } = this;
    app.route({
      ...endAuthorization,
      // A page: bypasses the JSON serializer.
      serializerCompiler: () => (page) => String(page),
      handler: async (request, reply) => {
        const { query, params, url, log } = request;
        const { installName: bookingSystem } = bookingSystems.resolve(params.booking_system);
        const { state } = query;
        const browser = authorizingBrowserOf(request, baseUrl());
        const visit =
          state !== undefined && browser !== undefined
            ? await authorizationVisits.end(bookingSystem, { state, browser })
            : undefined;
        if (visit === undefined) {
          keyThrottle.record(request, state);
          return sendPage(reply, noVisit);
        }
        const page = await pageAfter(visit, query, url);
        const { pool } = visit.connection;
        log.info({ pool, bookingSystem, status: page.status }, 'an authorization page sent a browser back');
        return sendPage(reply, page);
      },
    });
  }
}
