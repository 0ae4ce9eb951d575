import { z } from 'zod';
import type { RouteModule } from '../http/host-app.ts';
import { waiverParamsSchema } from '../waiver-routes/waiver-schemas.ts';
import { requireEvidence } from './evidence-route.ts';
import { signingDetails } from './signing-details.ts';

const name = z.string().nullable().describe('null: not asked for, or erased.');
const hash = z.string().describe('SHA-256, in hexadecimal.');
const deviceTime = z.iso.datetime().describe('By the device’s clock.');

const actSchema = z.object({
  act: z.enum(['agree', 'initial', 'sign']),
  method: z.enum(['type', 'draw']).optional().describe('Of a signature.'),
  item: z.string().describe('Its id in the form.'),
  text: z.string().nullable().describe('The beginning of the text that was shown; null if it is erased.'),
  guest: z.int().nullable().describe('Position among the guests, from 0; null: the signer’s, for all.'),
  at: deviceTime,
});

const sealSchema = z.object({
  leaf: hash.describe('The hash of the record.'),
  number: z.int().nullable().describe('In the chain of the pool; null for the seconds until it is there.'),
  head: hash.nullable().describe('The signed head of the chain above the record.'),
  sealedAt: z.iso.datetime().nullable(),
  isStamped: z.boolean().describe('Whether a stamp from outside is on it.'),
  keyFingerprint: hash.nullable().describe('Of the pool’s public key: tell it to those who verify.'),
  findings: z
    .array(
      z.object({
        status: z.enum(['proven', 'not-proven', 'erased', 'changed']),
        sentence: z.string(),
      }),
    )
    .describe('As `waiver-service verify` finds them; empty until the record is in the chain.'),
});

const reuseSchema = z.object({
  confirmedAt: deviceTime,
  proof: z.enum(['link', 'code']).describe('By their own link, or by a code that was mailed to the address.'),
  email: z.string().nullable().describe('By which the guest was known; null if it is erased.'),
  question: z.string().describe('As it was shown; it was answered with yes.'),
  healthQuestion: z.string().nullable().describe('Whether anything has changed: it was answered with no.'),
});

const detailsSchema = z
  .object({
    reuse: reuseSchema
      .nullable()
      .describe(
        'How a returning guest confirmed the signing; null for a signing itself. The rest is of what was signed.',
      ),
    openedAt: deviceTime.nullable(),
    signedAt: deviceTime.nullable(),
    linkKind: z.enum(['booking', 'guest', 'desk', 'kiosk', 'unknown']).nullable(),
    address: z.string().nullable().describe('The IP address of the device.'),
    userAgent: z.string().nullable(),
    signer: z.object({ name, takesPart: z.boolean().nullable() }),
    guests: z.array(z.object({ name })),
    acts: z.array(actSchema),
    seal: sealSchema,
  })
  .meta({ id: 'SigningDetails' });

/** `GET /v1/admin/pools/{pool}/waivers/{id}/signing`: who did what and when, and what the record proves. */
export const signingDetailsRoute: RouteModule = (app, services) => {
  app.route({
    config: { access: 'operator', audited: true },
    method: 'GET',
    url: '/v1/admin/pools/:pool/waivers/:id/signing',
    schema: {
      operationId: 'readSigning',
      tags: ['Check-in'],
      summary: 'Read the signing of a waiver: its acts, and what its record proves',
      params: waiverParamsSchema,
      response: { 200: detailsSchema },
    },
    handler: async ({ params, caller }) => {
      const evidence = await requireEvidence(services, caller, params);
      const { guests, acts, seal, ...details } = signingDetails(evidence.file);
      return {
        ...details,
        guests: [...guests],
        acts: [...acts],
        seal: { ...seal, findings: [...seal.findings] },
      };
    },
  });
};
