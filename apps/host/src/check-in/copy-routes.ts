import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { noContentSchema } from '../admin-routes/no-content.ts';
import { countedAddress, createFailureThrottle } from '../authentication/failure-throttle.ts';
import { documentWords } from '../documents/texts/languages.ts';
import { callerSignal } from '../http/aborted-requests.ts';
import { sendCardPage } from '../http/card-page.ts';
import { escapeHtml } from '../http/escape-html.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { directionOf, mailLanguageOf } from '../invitations/texts/languages.ts';
import { erasedResponse, missingWaiver } from '../waiver-routes/waiver-problems.ts';
import { waiverParamsSchema } from '../waiver-routes/waiver-schemas.ts';
import { documentSchema, documentUnavailable, sendDocument } from './document-routes.ts';
import { notSignedHere } from './evidence-route.ts';
import { poolBusyProblem } from './guest-budgets.ts';

// Guests behind one address, such as a hotel's.
const wrongTokensPerMinute = 60;

interface Refusal {
  readonly status: 404 | 410;
  readonly code: string;
  readonly word: 'copyUnknown' | 'copyEnded';
  /** BCP 47. */
  readonly language: string;
  readonly operator?: string;
}

/** A page for browsers, and a problem for programs. */
function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, code, word, operator = '' } = refusal;
  const isForPerson = request.headers.accept?.includes('text/html') === true;
  const language = (isForPerson ? mailLanguageOf(refusal.language) : undefined) ?? 'en';
  const words = documentWords(language);
  const sentence = words[word].replaceAll('{operator}', () => operator);
  if (!isForPerson) throw new HttpProblem(status, code, sentence);
  request.problemCode = code;
  return sendCardPage(reply, {
    ...{ status, language, direction: directionOf(language) },
    title: words.copyTitle,
    body: `<p>${escapeHtml(sentence)}</p>`,
  });
}

/** `GET /copies/{token}`: what was signed, for whoever has the link. */
const openCopyRoute: RouteModule = (app, services) => {
  const { signings, pools } = services.store;
  const throttle = createFailureThrottle(wrongTokensPerMinute);
  app.route({
    config: {
      access: 'public',
      problems: {
        400: 'The path is malformed.',
        404: 'There never was a copy at this address (`copy_not_found`).',
        410: 'The copy has ended (`copy_ended`): staff ended it, or the guests were erased or their records have been removed.',
        429: `Too many requests from this address (\`too_many_requests\`). ${poolBusyProblem}`,
        ...documentUnavailable,
      },
    },
    method: 'GET',
    url: '/copies/:token',
    // HEAD, which programs send to check a link, would count as opened.
    exposeHeadRoute: false,
    schema: {
      operationId: 'openCopy',
      tags: ['Check-in'],
      summary: 'Read the copy of what was signed, as an HTML page or a PDF',
      description:
        'Takes the `copy.url` of a signing, and needs no other authentication. Works until staff end it (`endCopy`), or the record of the last guest is erased or removed. Staff see how often it was opened. The PDF of a confirmation has no evidence attached.',
      params: z.object({ token: z.string().min(1).max(200) }),
      response: { 200: documentSchema },
    },
    handler: async (request, reply) => {
      const { token } = request.params;
      reply.header('x-robots-tag', 'noindex, nofollow').header('vary', 'accept');
      const copy = token.startsWith('wsd_') ? await signings.copies.find(token) : undefined;
      if (copy === undefined) {
        throttle.record({ caller: countedAddress(request.ip), key: token });
        const [language = ''] = (request.headers['accept-language'] ?? '').split(/[,;]/);
        return refuse(request, reply, { status: 404, code: 'copy_not_found', word: 'copyUnknown', language });
      }
      const source = { pool: copy.pool, link: token, address: request.ip };
      services.guestBudgets.take('copy', source);
      return services.guestTurns.run(source, callerSignal(reply), async () => {
        const evidence = await signings.copies.open(copy);
        if (evidence !== undefined) return sendDocument(request, reply, evidence, { isGuestCopy: true });
        const operator = (await pools.get(copy.pool))?.name ?? copy.pool;
        const { language } = copy;
        return refuse(request, reply, {
          status: 410,
          code: 'copy_ended',
          word: 'copyEnded',
          language,
          operator,
        });
      });
    },
  });
};

/** `DELETE /v1/pools/{pool}/waivers/{id}/copy`: the guest's link no longer works. */
const endCopyRoute: RouteModule = (app, services) => {
  const { signings, waivers } = services.store;
  app.route({
    config: { access: 'waivers:write', problems: erasedResponse },
    method: 'DELETE',
    url: '/v1/pools/:pool/waivers/:id/copy',
    schema: {
      operationId: 'endCopy',
      tags: ['Check-in'],
      summary: 'End the link to the guest’s copy of what was signed, permanently',
      description:
        'Ends it for all who signed together. 204 if it has ended already; 404 `no_evidence` if the waiver was not signed on the check-in page.',
      params: waiverParamsSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params: { pool, id } }, reply) => {
      if (await signings.copies.end(pool, id)) return reply.code(204).send(null);
      throw (await waivers.get(pool, id)) ? notSignedHere() : await missingWaiver(services, pool, id);
    },
  });
};

export const copyRoutes: RouteModule = (app, services) => {
  openCopyRoute(app, services);
  endCopyRoute(app, services);
};
