import { z } from 'zod';
import { dateTimeSchema } from '../http/date-time.ts';
import type { RouteModule } from '../http/host-app.ts';
import { erasedResponse } from '../waiver-routes/waiver-problems.ts';
import { waiverParamsSchema } from '../waiver-routes/waiver-schemas.ts';
import { requireEvidence } from './evidence-route.ts';
import { signingDetails } from './signing-details.ts';

const name = z
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

const detailsSchema = z
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
    signer: z.object({ name, takesPart: z.boolean().nullable() }),
    guests: z.array(z.object({ name })),
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

/** `GET /v1/admin/pools/{pool}/waivers/{id}/signing`: who did what and when, and what the record proves. */
export const signingDetailsRoute: RouteModule = (app, services) => {
  app.route({
    config: { access: 'operator', audited: true, problems: erasedResponse },
    method: 'GET',
    url: '/v1/admin/pools/:pool/waivers/:id/signing',
    schema: {
      operationId: 'readSigning',
      tags: ['Check-in'],
      summary: 'Read how a waiver was signed, and what its record proves',
      params: waiverParamsSchema,
      response: { 200: detailsSchema },
    },
    handler: async ({ params, caller }) => {
      const evidence = await requireEvidence(services, caller, params);
      const copy = await services.store.signings.copies.ofWaiver(params.pool, params.id);
      const { guests, acts, seal, ...details } = signingDetails(evidence.file);
      return {
        ...details,
        guests: [...guests],
        acts: [...acts],
        seal: { ...seal, findings: [...seal.findings] },
        copy: copy ?? null,
      };
    },
  });
};
