import Negotiator from '@fastify/accept-negotiator';
import type { StoredEvidence } from '@waiver-service/store';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { SigningDocument } from '../documents/document-blocks.ts';
import { documentPage, documentPagePolicy } from '../documents/document-page.ts';
import { printDocument } from '../documents/print-document.ts';
import { signingDocument } from '../documents/signing-document.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { erasedResponse } from '../waiver-routes/waiver-problems.ts';
import { waiverParamsSchema } from '../waiver-routes/waiver-schemas.ts';
import { requireEvidence } from './evidence-route.ts';
import { guestOf } from './link-access.ts';

const nothingLeft = () =>
  new HttpProblem(404, 'no_document', 'What was signed is erased: there is nothing to show.');

const noCopy = () =>
  new HttpProblem(
    404,
    'no_document',
    'The copy of a signing is here for an hour, by the link that it was signed with. Ask the operator for it.',
  );

/** The document of a signing. */
function documentOf({ file }: StoredEvidence, isGuestCopy = false): SigningDocument {
  // The whole record may have been erased.
  if (!file.record.parts.some((part) => part.name === 'core' && 'text' in part)) throw nothingLeft();
  return signingDocument(file, { isGuestCopy });
}

/** Sends what was signed as a page that a browser can print. */
const sendPage = (reply: FastifyReply, evidence: StoredEvidence, isGuestCopy = false): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', documentPagePolicy)
    .header('content-disposition', `inline; filename="signing-${evidence.signing}.html"`)
    .send(documentPage(documentOf(evidence, isGuestCopy)));

/** Sends what was signed as PDF/A-3, with the evidence in it. */
async function sendPdf(reply: FastifyReply, evidence: StoredEvidence): Promise<FastifyReply> {
  const pdf = await printDocument({
    document: documentOf(evidence),
    evidence: JSON.stringify(evidence.file),
    reference: evidence.signing,
  });
  return reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', `inline; filename="signing-${evidence.signing}.pdf"`)
    .send(pdf);
}

const page = z.string().describe('An HTML page, in the language of the signing.');
const pdf = z
  .any()
  .meta({ type: 'string', format: 'binary' })
  .describe('A PDF/A-3 file, in the language of the signing, with the evidence attached as `evidence.json`.');

/** `GET /v1/pools/{pool}/waivers/{id}/document`: what was signed, for people and the waiver app. */
export const documentRoute: RouteModule = (app, services) => {
  app.route({
    config: {
      access: 'waivers:read',
      audited: true,
      problems: {
        ...erasedResponse,
        503: 'The database is temporarily unavailable, or too many PDFs are being generated (`too_many_documents`). See Retry-After.',
      },
    },
    method: 'GET',
    url: '/v1/pools/:pool/waivers/:id/document',
    schema: {
      operationId: 'readDocument',
      tags: ['Check-in'],
      summary: 'Read the signed document as an HTML page or a PDF',
      description:
        'Returns an HTML page or, with `Accept: application/pdf`, a PDF/A-3 file with the evidence attached. Both are generated on demand and show what the evidence proves.',
      params: waiverParamsSchema,
      response: {
        200: {
          description: 'The signed document.',
          content: { 'text/html': { schema: page }, 'application/pdf': { schema: pdf } },
        },
      },
    },
    handler: async ({ params, caller, headers }, reply) => {
      const evidence = await requireEvidence(services, caller, params);
      reply.header('vary', 'accept');
      const preferred = Negotiator.negotiate(headers.accept ?? '', ['text/html', 'application/pdf']);
      return preferred === 'application/pdf' ? sendPdf(reply, evidence) : sendPage(reply, evidence);
    },
  });
};

/** `GET /check-in/api/signings/{id}/document`: the guest's own copy, for an hour. */
export const guestDocumentRoute: RouteModule = (app, services) => {
  const { signings } = services.store;
  app.route({
    config: {
      access: 'check-in-link',
      problems: {
        401: 'The link is unknown (`link_unknown`), was revoked (`link_revoked`) or has expired (`link_expired`).',
        404: 'Nothing with this id was signed with this link within the last hour, or it was erased (`no_document`).',
        429: 'Too many requests, or too many wrong links, from this address. See Retry-After.',
      },
    },
    method: 'GET',
    url: '/check-in/api/signings/:id/document',
    schema: {
      operationId: 'readCopy',
      tags: ['Check-in'],
      summary: 'Read the guest’s copy of what was just signed, as an HTML page',
      params: z.object({ id: z.uuid() }),
      response: { 200: page },
    },
    handler: async (request, reply) => {
      const { link } = guestOf(request);
      const evidence = await signings.copy(link, request.params.id);
      if (evidence === undefined) throw noCopy();
      return sendPage(reply, evidence, true);
    },
  });
};
