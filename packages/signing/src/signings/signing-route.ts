import {
  finishPage,
  type invalidSigningSchema,
  maxSigningBytes,
  sign,
  type signingAnswerSchema,
  type signingConflictSchema,
} from '@waiver-service/api';
import { draftWaivers, loadSentences } from '@waiver-service/forms';
import {
  type BodySource,
  createPoolShare,
  type HostApp,
  HttpProblem,
  malformed,
  type RouteModule,
  signingActorOf,
} from '@waiver-service/http';
import { BaseUrl, waiverTooLarge } from '@waiver-service/integration';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { SigningStore } from '../data/signing-store.ts';
import type { SigningOutcome, StoredSigning } from '../data/store-signing.ts';
import { dayFull, GuestBudgets, guestSourceOf, takeOtherGuests } from '../links/guest-budgets.ts';
import { GuestTurns } from '../links/guest-turns.ts';
import { guestOf } from '../links/link-access.ts';
import { OpenedBookings, storedLinkedBooking } from '../links/link-booking.ts';
import { copyUrl } from '../links/link-routes.ts';
import { linkKind } from '../links/session-route.ts';
import { SigningSettings } from '../signing-settings.ts';
import { signedWaivers } from './seal-signing.ts';
import {
  type ArrivedSigning,
  type FormChanged,
  formOfSigning,
  InvalidSigning,
  prepareSigning,
  requireGuestsOfLink,
  requireNotSigned,
} from './signing-checks.ts';
import { signingDay } from './signing-day.ts';

/** A stored signing in the form of {@link signingAnswerSchema}. */
export const signingAnswer = (
  { baseUrl }: { readonly baseUrl: BaseUrl },
  { id, receivedAt, waivers, copyToken }: StoredSigning,
): z.input<typeof signingAnswerSchema> => ({
  id,
  receivedAt,
  waivers: waivers.map(({ id: waiver, bookingGuestId }) =>
    bookingGuestId === null ? { id: waiver } : { id: waiver, bookingGuestId },
  ),
  copy: { url: copyUrl(baseUrl(), copyToken) },
});

const gone = () =>
  new HttpProblem(
    409,
    'waiver_voided',
    'What was signed before with this id was withdrawn by the operator: begin again.',
  );

/** 409: what has this id is none of the caller's business. */
const signingExists = () =>
  new HttpProblem(409, 'signing_exists', 'Another signing has this id: begin again.');

/** The signing of a successful outcome. @throws HttpProblem for the others */
export function signingOf(result: SigningOutcome): StoredSigning {
  if ('signing' in result) return result.signing;
  switch (result.outcome) {
    case 'exists-differently':
    case 'id-taken':
      throw signingExists();
    case 'answers-too-large':
      throw waiverTooLarge();
    case 'link-day-full':
    case 'pool-day-full':
      throw dayFull(result.outcome);
    case 'waiver-gone':
    case 'confirmed-gone':
    case 'unknown-pool':
      throw gone();
  }
}

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
    readonly store: SigningStore;
    readonly openedBookings: OpenedBookings;
    readonly settings: SigningSettings;
    readonly baseUrl: BaseUrl;
  },
  request: FastifyRequest,
  signed: Pick<ArrivedSigning, 'signing' | 'place'>,
): Promise<SigningAnswer> {
  const receivedAt = await services.store.signings.receivedNow();
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
export class SigningRoutes implements RouteModule {
  constructor(
    @inject(SigningSettings) readonly settings: SigningSettings,
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(SigningStore) readonly store: SigningStore,
    @inject(OpenedBookings) readonly openedBookings: OpenedBookings,
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
          takeOtherGuests(this.guestBudgets, 'sign', request, request.body.guests);
          const place = { ...link, kind: linkKind(link) };
          const answer = await answerSigning(this, request, { signing: request.body, place });
          if (answer.status === 400) return reply.code(400).send(answer.body);
          if (answer.status === 409) return reply.code(409).send(answer.body);
          return reply.code(answer.status).send(answer.body);
        }),
    });

    this.addPage(app);
  }

  /**
   * `PUT /check-in/api/signings/{id}/page`: a guest has finished a page of a form with several. The waivers are stored
   * with the page as their `currentPage`, as a draft: webhooks hear of it, but booking systems do not before the guest
   * signs (contract 3). Invalid answers are left out until they are corrected.
   */
  private addPage(app: HostApp): void {
    const { store } = this;
    const share = createPoolShare({ ...signingShare(this), sourceOf: guestSourceOf });
    app.route({
      ...finishPage,
      onRequest: async (request) => this.guestBudgets.take('page', guestSourceOf(request)),
      preParsing: share.take,
      handler: (request, reply) =>
        share.handle(request, async () => {
          const { link } = guestOf(request);
          const { body, params } = request;
          const { pool } = link;
          takeOtherGuests(this.guestBudgets, 'page', request, body.guests);
          const booking = await storedLinkedBooking(this, link);
          const now = new Date();
          const day = signingDay(booking?.booking?.bookedSessions ?? [], link.timeZone, now);
          const form = await formOfSigning(store, pool, body, { day, judgement: 'now', now });
          // The page gets the newer form on signing; the answers so far are valid for that one, too.
          const { content } = 'changed' in form ? form.changed : form;
          if (!content.pages.some(({ id }) => id === body.page)) {
            throw malformed([{ path: 'page', message: `the form has no page ${JSON.stringify(body.page)}` }]);
          }
          const waivers = draftWaivers(content, body, day, await loadSentences(body.language));
          if (waivers.some(({ answers }) => answers.name === undefined)) return reply.code(204).send(null);
          requireGuestsOfLink(
            link,
            booking,
            waivers.map(({ answers, ...guest }) => ({ ...guest, isMinor: answers.minor === true })),
          );
          const signing = { id: params.id, guests: body.guests };
          const outcome = await store.signings.storePage({
            pool,
            id: params.id,
            link: link.id,
            waivers: signedWaivers(waivers, booking, day, null),
            currentPage: body.page,
            requireNotSigned: booking && ((signed) => requireNotSigned(signing, booking, signed, link)),
            by: signingActorOf(request.caller),
          });
          if (outcome === 'answers-too-large') throw waiverTooLarge();
          if (outcome === 'link-day-full' || outcome === 'pool-day-full') throw dayFull(outcome);
          if (outcome === 'id-taken') throw signingExists();
          return reply.code(204).send(null);
        }),
    });
  }
}
