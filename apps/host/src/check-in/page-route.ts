import { draftWaivers, loadSentences, signedPageSchema } from '@waiver-service/forms';
import { z } from 'zod';
import { signingActorOf } from '../authentication/caller.ts';
import type { RouteModule } from '../http/host-app.ts';
import { malformed } from '../http/http-problem.ts';
import { createPoolShare } from '../waiver-routes/pool-share.ts';
import { waiverTooLarge } from '../waiver-routes/waiver-problems.ts';
import { dayFull, guestSourceOf, poolBusyProblem } from './guest-budgets.ts';
import { guestOf } from './link-access.ts';
import { storedLinkedBooking } from './link-booking.ts';
import { signedWaivers } from './signed-waivers.ts';
import { signingExists } from './signing-answer.ts';
import { formOfSigning, requireGuestsOfLink, requireNotSigned } from './signing-checks.ts';
import { signingDay } from './signing-day.ts';
import { signingShare } from './signing-route.ts';

/**
 * `PUT /check-in/api/signings/{id}/page`: a guest has finished a page of a form with several. The waivers are stored
 * with the page as their `currentPage`, as a draft: webhooks hear of it, but booking systems do not before the guest
 * signs (contract 3). Invalid answers are left out until they are corrected.
 */
export const signedPageRoute: RouteModule = (app, services) => {
  const { store } = services;
  const share = createPoolShare({ ...signingShare(services), sourceOf: guestSourceOf });
  app.route({
    config: {
      access: 'check-in-link',
      problems: {
        401: 'The link is unknown (`link_unknown`), was revoked (`link_revoked`) or has expired (`link_expired`).',
        403: 'A `bookingGuestId` is of a guest whom the link does not cover (`guest_not_of_link`).',
        409: 'A guest has already signed (`already_signed`), another signing has this id (`signing_exists`), or the booking was cancelled (`booking_cancelled`).',
        429: poolBusyProblem,
      },
    },
    method: 'PUT',
    url: '/check-in/api/signings/:id/page',
    schema: {
      operationId: 'finishPage',
      tags: ['Check-in'],
      summary: 'Store a finished page of a form that has several pages',
      description:
        'Stores the answers so far, without consents and signatures. Nothing is stored until every guest has a name. Webhooks are notified of it, with its `currentPage`; booking systems only when the guest signs.',
      params: z.object({ id: z.uuid() }),
      body: signedPageSchema,
      response: { 204: z.null().describe('Stored, or not stored yet because a guest has no name.') },
    },
    onRequest: async (request) => services.guestBudgets.take('page', guestSourceOf(request)),
    preParsing: share.take,
    handler: (request, reply) =>
      share.handle(request, async () => {
        const { link } = guestOf(request);
        const { body, params } = request;
        const { pool } = link;
        const booking = await storedLinkedBooking(services, link);
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
};
