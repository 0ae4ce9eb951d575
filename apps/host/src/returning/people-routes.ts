import type { ShownPage } from '@waiver-service/forms';
import { z } from 'zod';
import { dayIn } from '../booking-reading/booking-days.ts';
import { guestSourceOf, poolBusyProblem } from '../check-in/guest-budgets.ts';
import { guestOf } from '../check-in/link-access.ts';
import { storedLinkedBooking } from '../check-in/link-booking.ts';
import { signingShare } from '../check-in/signing-route.ts';
import { partOf } from '../documents/signing-document.ts';
import type { RouteModule } from '../http/host-app.ts';
import { createPoolShare } from '../waiver-routes/pool-share.ts';
import { answersToForm } from './earlier-answers.ts';
import { knownGuest, proofFields } from './known-guest.ts';
import {
  asksHealth,
  type NamedVisit,
  peopleOfLink,
  type ReturningPerson,
  returningPeople,
  visitOf,
} from './returning-people.ts';
import { reuseQuestions } from './reuse-questions.ts';
import { signAgain } from './sign-again-problem.ts';

const answersSchema = z.record(z.string(), z.unknown());

const personSchema = z.object({
  waiver: z.string().describe('The id of the waiver that the person may confirm.'),
  signing: z
    .string()
    .describe('The id of the earlier signing. Only people of the same signing can be confirmed together.'),
  name: z.string().nullable(),
  isMinor: z.boolean(),
  isSigner: z.boolean(),
  isGuestOfLink: z
    .boolean()
    .describe(
      'On a link to one guest: whether the name identifies the person as that guest; false on other links.',
    ),
  signedOn: z.iso.date().describe('Date of the earlier signing, in the time zone of the pool.'),
  validUntil: z.iso.date(),
  form: z.object({ name: z.string(), version: z.int() }),
  answers: answersSchema.describe(
    'Earlier answers, by the item ids of the form to sign now; never health answers.',
  ),
  signerAnswers: answersSchema.describe(
    'Earlier answers to the questions that are asked once per signing, by item id.',
  ),
  questions: z.object({
    text: z.string(),
    guardianText: z.string().describe('Shown instead of `text` if a minor is among the people to confirm.'),
    health: z
      .string()
      .nullable()
      .describe(
        'The question whether health answers have changed; null if the form does not ask about health.',
      ),
  }),
});

interface PersonAnswerParts {
  readonly isGuestOfLink: boolean;
  readonly language: string;
  readonly timeZone: string;
}

function personAnswer(
  { waiver, name, isMinor, form }: ReturningPerson,
  { form: current }: NamedVisit,
  { isGuestOfLink, language, timeZone }: PersonAnswerParts,
): z.input<typeof personSchema> {
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

const problems = {
  401: 'The link is unknown (`link_unknown`), was revoked (`link_revoked`) or has expired (`link_expired`).',
  403: 'The e-mail address is not proven, or the proof has expired (`proof_ended`).',
  409: 'The booking was cancelled (`booking_cancelled`).',
  429: poolBusyProblem,
};

const shownSchema = z.custom<readonly ShownPage[]>().meta({ type: 'array', items: { type: 'object' } });

/** The people who may confirm what they signed before, and what that was. */
export const returningPeopleRoutes: RouteModule = (app, services) => {
  const { store } = services;
  const share = createPoolShare({ ...signingShare(services), sourceOf: guestSourceOf });

  app.route({
    config: { access: 'check-in-link', problems },
    method: 'POST',
    url: '/check-in/api/returning/people',
    schema: {
      operationId: 'listReturningPeople',
      tags: ['Check-in'],
      summary: 'List the people who may confirm what was signed for them before',
      description:
        'Returns the people whose waivers have the proven address. Without a proof, on a link to one guest, returns that guest if the booking has the guest’s address.',
      body: z.strictObject({ language: z.string().min(1).max(40), ...proofFields }),
      response: { 200: z.object({ people: z.array(personSchema) }) },
    },
    onRequest: async (request) => services.guestBudgets.take('recognize', guestSourceOf(request)),
    preParsing: share.take,
    handler: (request) =>
      share.handle(request, async () => {
        const { link } = guestOf(request);
        const linked = await storedLinkedBooking(services, link);
        const guest = await knownGuest(services, link, linked, request.body);
        if (guest === undefined) return { people: [] };
        const visit = await visitOf(services, link, linked, new Date());
        const people = await returningPeople(services, link.pool, guest, visit);
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
    config: {
      access: 'check-in-link',
      problems: {
        ...problems,
        409: 'The guest must sign again (`sign_again`), or the booking was cancelled (`booking_cancelled`).',
      },
    },
    method: 'POST',
    url: '/check-in/api/returning/text',
    schema: {
      operationId: 'readSignedText',
      tags: ['Check-in'],
      summary: 'Read the text that a returning guest signed before',
      description: 'Returns the text as it was shown at the time, without answers.',
      body: z.strictObject({ waiver: z.string().max(256), ...proofFields }),
      response: { 200: z.object({ language: z.string(), pages: shownSchema }) },
    },
    onRequest: async (request) => services.guestBudgets.take('recognize', guestSourceOf(request)),
    preParsing: share.take,
    handler: (request) =>
      share.handle(request, async () => {
        const { link } = guestOf(request);
        const linked = await storedLinkedBooking(services, link);
        const guest = await knownGuest(services, link, linked, request.body);
        const visit = await visitOf(services, link, linked, new Date());
        const people = guest === undefined ? [] : await returningPeople(services, link.pool, guest, visit);
        const found = people.find(({ waiver }) => waiver.id === request.body.waiver);
        if (found === undefined) throw signAgain();
        const { signing: id, leaf } = found.waiver;
        const core = partOf(await store.signings.record(link.pool, { id, leaf }), 'core');
        if (core === undefined) throw signAgain();
        return { language: core.language, pages: core.shown };
      }),
  });
};
