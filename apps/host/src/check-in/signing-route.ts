import { signingSchema } from '@waiver-service/forms';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { signingActorOf } from '../authentication/caller.ts';
import type { RouteServices } from '../container/route-services.ts';
import type { RouteModule } from '../http/host-app.ts';
import { type BodySource, createPoolShare } from '../waiver-routes/pool-share.ts';
import { linkKind, publishedFormSchema } from './check-in-session.ts';
import { guestSourceOf, poolBusyProblem } from './guest-budgets.ts';
import { guestOf } from './link-access.ts';
import { type ArrivedSigning, prepareSigning } from './prepare-signing.ts';
import { signingAnswer, signingAnswerSchema, signingOf } from './signing-answer.ts';
import { type FormChanged, InvalidSigning } from './signing-checks.ts';

/** Strokes and photos make a signing larger than other bodies. */
export const maxSigningBytes = 4 * 1024 * 1024;

/** The share that signings of a pool may take, and half of it by one link or from one address. */
export const signingShare = ({
  guestBudgets,
  guestTurns: turns,
}: Pick<RouteServices, 'guestBudgets' | 'guestTurns'>) => ({
  turns,
  maxPoolBytes: 8 * maxSigningBytes,
  maxSourceBytes: 4 * maxSigningBytes,
  onPart: (bytes: number, source: BodySource) => guestBudgets.take('bytes', source, bytes),
});

const problemFields = { success: z.literal(false), message: z.string(), code: z.string() };

const formChangedSchema = z
  .object({ ...problemFields, form: publishedFormSchema.optional() })
  .describe(
    'A conflict: `form_changed` (`form` is the form to sign now), `already_signed`, `signing_exists`, `waiver_voided` or `booking_cancelled`.',
  )
  .meta({ id: 'SigningConflict' });

const invalidSchema = z
  .object({
    ...problemFields,
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    problems: z
      .array(
        z.object({
          item: z.string().nullable(),
          guest: z.int().nullable(),
          field: z.string(),
          message: z.string(),
        }),
      )
      .optional()
      .describe('With `signing_invalid`: what is missing or wrong, in the language of the signing.'),
  })
  .meta({ id: 'InvalidSigning' });

/** The answers to a signing. */
export const signingAnswers = {
  200: signingAnswerSchema.describe('The signing was stored already, with the same content.'),
  201: signingAnswerSchema,
  400: invalidSchema,
  409: formChangedSchema,
};

/** A status of {@link signingAnswers}, and its body. */
export type SigningAnswer =
  | { readonly status: 200 | 201; readonly body: z.input<typeof signingAnswerSchema> }
  | { readonly status: 400; readonly body: z.input<typeof invalidSchema> }
  | { readonly status: 409; readonly body: z.input<typeof formChangedSchema> };

const formChanged = ({ changed }: FormChanged) => ({
  success: false as const,
  code: 'form_changed',
  message: 'The form has changed since this page was opened: read it again and sign.',
  form: { ...changed, content: { ...changed.content } },
});

/** The beginning of the browser's User-Agent header. */
export const userAgentOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  headers['user-agent']?.slice(0, 512);

/** Stores a signing whose guest waits for the answer. */
export async function answerSigning(
  services: Pick<RouteServices, 'store' | 'bookingReader' | 'settings' | 'baseUrl'>,
  request: FastifyRequest,
  signed: Pick<ArrivedSigning, 'signing' | 'place'>,
): Promise<SigningAnswer> {
  const receivedAt = new Date();
  try {
    const prepared = await prepareSigning(services, {
      ...signed,
      judgement: 'now',
      receivedAt,
      signedAt: receivedAt,
      address: request.ip,
      userAgent: userAgentOf(request),
      by: signingActorOf(request.caller),
      // What has arrived is stored even if the guest loses the connection.
      signal: new AbortController().signal,
    });
    if ('changed' in prepared) return { status: 409, body: formChanged(prepared) };
    const result = await services.store.signings.store(prepared);
    return {
      status: result.outcome === 'same' ? 200 : 201,
      body: signingAnswer(services, signingOf(result)),
    };
  } catch (error) {
    if (!(error instanceof InvalidSigning)) throw error;
    request.problemCode = error.code;
    const { code, message, problems, errors } = error;
    return {
      status: 400,
      body: {
        ...{ success: false, code, message },
        errors: (errors ?? []).map((each) => ({ ...each })),
        problems: problems.map((problem) => ({ ...problem })),
      },
    };
  }
}

/** `POST /check-in/api/signings`: a guest has signed. */
export const signingRoute: RouteModule = (app, services) => {
  const share = createPoolShare({ ...signingShare(services), sourceOf: guestSourceOf });
  app.route({
    config: {
      access: 'check-in-link',
      problems: {
        401: 'The link is unknown (`link_unknown`), was revoked (`link_revoked`) or has expired (`link_expired`).',
        403: 'A `bookingGuestId` is of a guest whom the link does not cover (`guest_not_of_link`).',
        413: 'The signing is larger than 4 MiB, or the answers of a guest are larger than 256 KiB.',
        429: poolBusyProblem,
      },
    },
    method: 'POST',
    url: '/check-in/api/signings',
    bodyLimit: maxSigningBytes,
    schema: {
      operationId: 'sign',
      tags: ['Check-in'],
      summary: 'Sign for a guest and their children',
      description:
        'Stores a waiver for each guest and the sealed record; the booking system is notified afterwards. Takes the token of the link as the bearer token. Idempotent by `id`.',
      body: signingSchema,
      response: signingAnswers,
    },
    onRequest: async (request) => services.guestBudgets.take('sign', guestSourceOf(request)),
    preParsing: share.take,
    handler: (request, reply) =>
      share.handle(request, async () => {
        const { link } = guestOf(request);
        const place = { ...link, kind: linkKind(link) };
        const answer = await answerSigning(services, request, { signing: request.body, place });
        if (answer.status === 400) return reply.code(400).send(answer.body);
        if (answer.status === 409) return reply.code(409).send(answer.body);
        return reply.code(answer.status).send(answer.body);
      }),
  });
};
