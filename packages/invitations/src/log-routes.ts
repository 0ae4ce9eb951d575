import {
  type invitationSchema,
  liftInvitationRefusal,
  listInvitationRefusals,
  listSentInvitations,
  type shownInvitationStates,
} from '@waiver-service/api';
import {
  type Caller,
  type HostApp,
  HttpProblem,
  pageOf,
  pageOrProblem,
  type RouteModule,
  seesGuests,
} from '@waiver-service/http';
import { requirePool } from '@waiver-service/integration';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import type { Invitation } from './data/invitation.ts';
import { InvitationStore } from './data/invitation-store.ts';

/** A message that is being handed over is shown as waiting. */
function shownState({ state, isGivenUp }: Invitation): (typeof shownInvitationStates)[number] {
  if (isGivenUp) return 'given-up';
  return state === 'handing-over' ? 'waiting' : state;
}

function invitationAnswer(invitation: Invitation, caller: Caller | null): z.input<typeof invitationSchema> {
  const { pool: _, isGivenUp: __, email, reason, ...item } = invitation;
  const isRedacted = !seesGuests(caller);
  // The mail server's reply may quote the address.
  const isQuote = isRedacted && item.state === 'refused';
  return {
    ...item,
    state: shownState(invitation),
    email: isRedacted ? null : email,
    reason: isQuote ? null : reason,
    ...(isRedacted ? { redacted: true as const } : {}),
  };
}

/** The log of messages, and the addresses that get no more messages. */
@injectable()
export class InvitationLogRoutes implements RouteModule {
  constructor(@inject(InvitationStore) readonly store: InvitationStore) {}

  addRoutes(app: HostApp): void {
    const { invitations } = this.store;

    app.route({
      ...listSentInvitations,
      handler: async ({ params: { pool }, query, caller }) => {
        await requirePool(this, pool);
        return pageOf(invitations.list(pool, query), (each) => invitationAnswer(each, caller));
      },
    });

    app.route({
      ...listInvitationRefusals,
      handler: async ({ params: { pool }, query }) => {
        await requirePool(this, pool);
        return pageOrProblem(invitations.listRefusals(pool, query));
      },
    });

    app.route({
      ...liftInvitationRefusal,
      handler: async ({ params: { pool, id } }, reply) => {
        await requirePool(this, pool);
        if (!(await invitations.removeRefusal(pool, id)))
          throw new HttpProblem(404, 'refusal_not_found', 'The pool has no such refused address.');
        return reply.code(204).send(null);
      },
    });
  }
}
