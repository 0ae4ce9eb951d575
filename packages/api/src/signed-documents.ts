import { z } from 'zod';
import { poolBusyProblem } from './check-in.ts';
import { dateTimeSchema, noContentSchema, waiverParamsSchema } from './fields.ts';
import { route } from './route.ts';
import { erasedResponse } from './waivers.ts';

const documentUnavailable = {
  503: 'The database is temporarily unavailable, or too many PDFs are being generated (`too_many_documents`). See Retry-After.',
};

const page = z.string().describe('An HTML page, in the language of the signing.');

const pdf = z
  .any()
  .meta({ type: 'string', format: 'binary' })
  .describe('A PDF/A-3 file, in the language of the signing, with the evidence attached as `evidence.json`.');

/** The response with a document, in the OpenAPI document. */
const documentSchema = {
  description: 'The signed document.',
  content: { 'text/html': { schema: page }, 'application/pdf': { schema: pdf } },
};

export const openCopy = route.get('/copies/:token', {
  // HEAD, which programs send to check a link, would count as opened.
  exposeHeadRoute: false,
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
  operationId: 'openCopy',
  tags: ['Check-in'],
  summary: 'Read the copy of what was signed, as an HTML page or a PDF',
  description:
    'Takes the `copy.url` of a signing, and needs no other authentication. Works until staff end it (`endCopy`), or the record of the last guest is erased or removed. Staff see how often it was opened. The PDF of a confirmation has no evidence attached.',
  params: z.object({ token: z.string().min(1).max(200) }),
  response: { 200: documentSchema },
});

export const endCopy = route.delete('/v1/pools/:pool/waivers/:id/copy', {
  config: { access: 'waivers:write', problems: erasedResponse },
  operationId: 'endCopy',
  tags: ['Check-in'],
  summary: 'End the link to the guest’s copy of what was signed, permanently',
  description:
    'Ends it for all who signed together. 204 if it has ended already; 404 `no_evidence` if the waiver was not signed on the check-in page.',
  params: waiverParamsSchema,
  response: { 204: noContentSchema },
});

export const readDocument = route.get('/v1/pools/:pool/waivers/:id/document', {
  config: {
    access: 'waivers:read',
    audited: true,
    problems: {
      ...erasedResponse,
      ...documentUnavailable,
    },
  },
  operationId: 'readDocument',
  tags: ['Check-in'],
  summary: 'Read the signed document as an HTML page or a PDF',
  description:
    'Returns an HTML page or, with `Accept: application/pdf`, a PDF/A-3 file with the evidence attached. Both are generated on demand and show what the evidence proves.',
  params: waiverParamsSchema,
  response: { 200: documentSchema },
});

export const readEvidence = route.get('/v1/pools/:pool/waivers/:id/evidence', {
  config: { access: 'waivers:read', audited: true, problems: erasedResponse },
  operationId: 'readEvidence',
  tags: ['Check-in'],
  summary: 'Read the evidence of a signing: its sealed record, which anyone can verify',
  params: waiverParamsSchema,
  response: {
    200: z
      .looseObject({ format: z.string() })
      .describe('The evidence file. See docs/evidence.md for its format.'),
  },
});

const guestName = z
  .string()
  .nullable()
  .describe('The person’s name; null if the form does not ask for it or it was erased.');

const hash = z.string().describe('SHA-256, in hexadecimal.');

const deviceTime = z.iso.datetime().describe('ISO 8601 UTC time by the device’s clock.');

const translatedAt = deviceTime
  .nullable()
  .describe(
    'When the page was first seen translated by the browser; null if it never was, or if that was erased.',
  );

const actSchema = z.object({
  act: z.enum(['agree', 'initial', 'sign']),
  method: z.enum(['type', 'draw']).optional().describe('How a signature was made; omitted for other acts.'),
  item: z.string().describe('The id of the item in the form.'),
  text: z.string().nullable().describe('The beginning of the text that was shown; null if it was erased.'),
  guest: z
    .int()
    .nullable()
    .describe('Zero-based position in `guests`; null for an act of the signer for all guests.'),
  at: deviceTime,
});

const sealSchema = z.object({
  leaf: hash.describe('SHA-256 hash of the record, in hexadecimal.'),
  number: z
    .int()
    .nullable()
    .describe(
      'The record’s number in the chain of the pool; null for a few seconds until the record is in the chain.',
    ),
  head: hash
    .nullable()
    .describe(
      'The first signed head of the chain that covers the record, in hexadecimal; null until the record is in the chain.',
    ),
  sealedAt: z.iso.datetime().nullable(),
  isStamped: z.boolean().describe('Whether the evidence has a time stamp from an outside authority.'),
  keyFingerprint: hash
    .nullable()
    .describe(
      'SHA-256 of the pool’s public key, in hexadecimal; give it to those who verify. null until the record is in the chain.',
    ),
  findings: z
    .array(
      z.object({
        status: z.enum(['proven', 'not-proven', 'erased', 'changed']),
        sentence: z.string(),
      }),
    )
    .describe('The findings of `waiver-service verify`; empty until the record is in the chain.'),
});

const reuseSchema = z.object({
  confirmedAt: deviceTime,
  translatedAt,
  proof: z
    .enum(['link', 'code'])
    .describe('How the guest was identified: by a personal link, or by a code mailed to the address.'),
  email: z
    .string()
    .nullable()
    .describe('The e-mail address that identified the guest; null if it was erased.'),
  question: z.string().describe('The question as it was shown. The guest answered yes.'),
  healthQuestion: z
    .string()
    .nullable()
    .describe(
      'The question whether health answers have changed. The guest answered no. null if the form does not ask about health.',
    ),
});

const signingDetailsSchema = z
  .object({
    reuse: reuseSchema
      .nullable()
      .describe(
        'How a returning guest confirmed an earlier signing; null if the waiver was signed itself. If set, `seal` is of the confirmation, and the other fields are of the earlier signing.',
      ),
    openedAt: deviceTime.nullable(),
    signedAt: deviceTime.nullable(),
    linkKind: z.enum(['booking', 'guest', 'desk', 'kiosk', 'unknown']).nullable(),
    address: z.string().nullable().describe('The IP address of the device.'),
    userAgent: z.string().nullable(),
    translatedAt,
    signer: z.object({ name: guestName, takesPart: z.boolean().nullable() }),
    guests: z.array(z.object({ name: guestName })),
    acts: z.array(actSchema),
    seal: sealSchema,
    copy: z
      .object({
        openings: z
          .int()
          .describe('How often the link was opened, also by programs that check the links of a message.'),
        lastOpenedAt: dateTimeSchema.nullable(),
        endedAt: dateTimeSchema.nullable(),
      })
      .nullable()
      .describe('The guest’s copy; null if it was signed before there were copies.'),
  })
  .meta({ id: 'SigningDetails' });

/** The parts of a signing that staff see. */
export type SigningDetails = Readonly<z.input<typeof signingDetailsSchema>>;

export const readSigning = route.get('/v1/admin/pools/:pool/waivers/:id/signing', {
  config: { access: 'operator', audited: true, problems: erasedResponse },
  operationId: 'readSigning',
  tags: ['Check-in'],
  summary: 'Read how a waiver was signed, and what its record proves',
  params: waiverParamsSchema,
  response: { 200: signingDetailsSchema },
});
