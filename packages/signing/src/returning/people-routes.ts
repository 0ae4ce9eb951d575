import { listReturningPeople, readSignedText, type returningPersonSchema } from '@waiver-service/api';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { createPoolShare } from '@waiver-service/http';
import { dayIn } from '@waiver-service/integration';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { SigningStore } from '../data/signing-store.ts';
import { partOf } from '../documents/signing-document.ts';
import { GuestBudgets, guestSourceOf } from '../links/guest-budgets.ts';
import { GuestTurns } from '../links/guest-turns.ts';
import { guestOf } from '../links/link-access.ts';
import { storedLinkedBooking } from '../links/link-booking.ts';
import { signingShare } from '../signings/signing-route.ts';
import {
  asksHealth,
  knownGuest,
  type NamedVisit,
  peopleOfLink,
  type ReturningPerson,
  returningPeople,
  visitOf,
} from './returning-people.ts';
import { reuseQuestions } from './reuse-questions.ts';
import { answersToForm, signAgain } from './sign-again.ts';

interface PersonAnswerParts {
  readonly isGuestOfLink: boolean;
  readonly language: string;
  readonly timeZone: string;
}

function personAnswer(
  { waiver, name, isMinor, form }: ReturningPerson,
  { form: current }: NamedVisit,
  { isGuestOfLink, language, timeZone }: PersonAnswerParts,
): z.input<typeof returningPersonSchema> {
  const content = current?.content ?? form.content;
  const { id, signing, isSigner, receivedAt: signedAt, validUntil, answers } = waiver;
  return {
    ...{ waiver: id, signing, name: name ?? null, isMinor, isSigner, isGuestOfLink, validUntil },
    signedOn: dayIn(timeZone, signedAt),
    form: { name: form.name, version: form.version },
    answers: { ...answersToForm(content, answers, 'guest') },
    signerAnswers: { ...answersToForm(content, answers, 'signer') },
    questions: reuseQuestions({ language, timeZone, signedAt, asksHealth: asksHealth(form.content) }),
  };
}

/** The people who may confirm what they signed before, and what that was. */
@injectable()
export class ReturningPeopleRoutes implements RouteModule {
  constructor(
    @inject(SigningStore) readonly store: SigningStore,
    @inject(GuestBudgets) readonly guestBudgets: GuestBudgets,
    @inject(GuestTurns) readonly guestTurns: GuestTurns,
  ) {}

  addRoutes(app: HostApp): void {
    const { store } = this;
    const share = createPoolShare({ ...signingShare(this), sourceOf: guestSourceOf });

    app.route({
      ...listReturningPeople,
      onRequest: async (request) => this.guestBudgets.take('recognize', guestSourceOf(request)),
      preParsing: share.take,
      handler: (request) =>
        share.handle(request, async () => {
          const { link } = guestOf(request);
          const linked = await storedLinkedBooking(this, link);
          const guest = await knownGuest(this, link, linked, request.body);
          if (guest === undefined) return { people: [] };
          const visit = await visitOf(this, link, linked, new Date());
          const people = await returningPeople(this, link.pool, guest, visit);
          const { language } = request.body;
          const { timeZone } = link;
          const own = peopleOfLink(link, linked, people);
          return {
            people: people.map((person) =>
              personAnswer(person, visit, { isGuestOfLink: own.includes(person), language, timeZone }),
            ),
          };
        }),
    });

    app.route({
      ...readSignedText,
      onRequest: async (request) => this.guestBudgets.take('recognize', guestSourceOf(request)),
      preParsing: share.take,
      handler: (request) =>
        share.handle(request, async () => {
          const { link } = guestOf(request);
          const linked = await storedLinkedBooking(this, link);
          const guest = await knownGuest(this, link, linked, request.body);
          const visit = await visitOf(this, link, linked, new Date());
          const people = guest === undefined ? [] : await returningPeople(this, link.pool, guest, visit);
          const found = people.find(({ waiver }) => waiver.id === request.body.waiver);
          if (found === undefined) throw signAgain();
          const { signing: id, leaf } = found.waiver;
          const core = partOf(await store.signings.record(link.pool, { id, leaf }), 'core');
          if (core === undefined) throw signAgain();
          return { language: core.language, pages: core.shown };
        }),
    });
  }
}
