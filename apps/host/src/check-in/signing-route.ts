import {
  type invalidSigningSchema,
  maxSigningBytes,
  sign,
  type signingAnswerSchema,
  type signingConflictSchema,
} from '@waiver-service/api';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { signingActorOf } from '../authentication/caller.ts';
import { BookingReader } from '../booking-reading/booking-reader.ts';
import { BaseUrl, Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HostSettings } from '../settings/host-settings.ts';
import { type BodySource, createPoolShare } from '../waiver-routes/pool-share.ts';
import { linkKind } from './check-in-session.ts';
import { GuestBudgets, guestSourceOf } from './guest-budgets.ts';
import { GuestTurns } from './guest-turns.ts';
import { guestOf } from './link-access.ts';
import { type ArrivedSigning, prepareSigning } from './prepare-signing.ts';
import { signingAnswer, signingOf } from './signing-answer.ts';
import { type FormChanged, InvalidSigning } from './signing-checks.ts';

/** The share that signings of a pool may take, and half of it by one link or from one address. */
export const signingShare = ({
  guestBudgets,
  guestTurns: turns,
}: {
  readonly guestBudgets: GuestBudgets;
  readonly guestTurns: GuestTurns;
}) => ({
  turns,
  maxPoolBytes: 8 * maxSigningBytes,
  maxSourceBytes: 4 * maxSigningBytes,
  onPart: (bytes: number, source: BodySource) => guestBudgets.take('bytes', source, bytes),
});

/** A status of {@link signingAnswers}, and its body. */
export type SigningAnswer =
  | { readonly status: 200 | 201; readonly body: z.input<typeof signingAnswerSchema> }
  | { readonly status: 400; readonly body: z.input<typeof invalidSigningSchema> }
  | { readonly status: 409; readonly body: z.input<typeof signingConflictSchema> };

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
  services: {
    readonly store: Store;
    readonly bookingReader: BookingReader;
    readonly settings: HostSettings;
    readonly baseUrl: BaseUrl;
  },
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
@injectable()
export class SigningRoute implements RouteModule {
  constructor(
    @inject(HostSettings) readonly settings: HostSettings,
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(Store) readonly store: Store,
    @inject(BookingReader) readonly bookingReader: BookingReader,
    @inject(GuestBudgets) readonly guestBudgets: GuestBudgets,
    @inject(GuestTurns) readonly guestTurns: GuestTurns,
  ) {}

  addRoutes(app: HostApp): void {
    const share = createPoolShare({ ...signingShare(this), sourceOf: guestSourceOf });
    app.route({
      ...sign,
      onRequest: async (request) => this.guestBudgets.take('sign', guestSourceOf(request)),
      preParsing: share.take,
      handler: (request, reply) =>
        share.handle(request, async () => {
          const { link } = guestOf(request);
          const place = { ...link, kind: linkKind(link) };
          const answer = await answerSigning(this, request, { signing: request.body, place });
          if (answer.status === 400) return reply.code(400).send(answer.body);
          if (answer.status === 409) return reply.code(409).send(answer.body);
          return reply.code(answer.status).send(answer.body);
        }),
    });
  }
}
