import { finishPage } from '@waiver-service/api';
import { draftWaivers, loadSentences } from '@waiver-service/forms';
import { inject, injectable } from 'inversify';
import { signingActorOf } from '../authentication/caller.ts';
import { Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { malformed } from '../http/http-problem.ts';
import { createPoolShare } from '../waiver-routes/pool-share.ts';
import { waiverTooLarge } from '../waiver-routes/waiver-problems.ts';
import { dayFull, GuestBudgets, guestSourceOf } from './guest-budgets.ts';
import { GuestTurns } from './guest-turns.ts';
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
@injectable()
export class SignedPageRoute implements RouteModule {
  constructor(
    @inject(Store) readonly store: Store,
    @inject(GuestBudgets) readonly guestBudgets: GuestBudgets,
    @inject(GuestTurns) readonly guestTurns: GuestTurns,
  ) {}

  addRoutes(app: HostApp): void {
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
