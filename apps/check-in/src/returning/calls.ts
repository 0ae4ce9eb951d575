import type {
  AnswerOf,
  askForCode as askForCodeRoute,
  BodyOf,
  confirmSigned,
  exchangeCode as exchangeCodeRoute,
  listReturningPeople,
  readSignedText as readSignedTextRoute,
} from '@waiver-service/api';
import type { GivenAnswers } from '@waiver-service/forms';
import type { Draft, DraftPerson } from '../draft/draft.ts';
import { newPerson, signingForChoices, withSigningFor } from '../draft/people.ts';
import { post, type StoredSigning } from '../host/calls.ts';

/** The proof that an address is the guest's; empty on a link to one guest. */
export type Proof = { readonly email: string; readonly proof: string } | Record<string, never>;

type People = AnswerOf<typeof listReturningPeople>;
type ListedPerson = Readonly<People['people'][number]>;

/** A person who may confirm an earlier waiver instead of signing. */
export interface ReturningPerson extends Omit<ListedPerson, 'answers' | 'signerAnswers'> {
  readonly answers: GivenAnswers;
  readonly signerAnswers: GivenAnswers;
}

/** Requests a code by email, sent if the address is known. @returns the code's id @throws Refused */
export const askForCode = async (token: string, address: BodyOf<typeof askForCodeRoute>): Promise<string> =>
  (await post<AnswerOf<typeof askForCodeRoute>>(token, '/returning/codes', address)).id;

/** @throws Refused */
export async function exchangeCode(token: string, code: BodyOf<typeof exchangeCodeRoute>): Promise<Proof> {
  const { proof } = await post<AnswerOf<typeof exchangeCodeRoute>>(token, '/returning/proofs', code);
  return { email: code.email, proof };
}

/** @throws Refused */
export const readPeople = async (
  token: string,
  language: string,
  proof: Proof,
): Promise<readonly ReturningPerson[]> => {
  const asked = { language, ...proof };
  const { people } = await post<{ people: readonly ReturningPerson[] }>(token, '/returning/people', asked);
  return people;
};

/** The text as signed. @throws Refused */
export const readSignedText = (
  token: string,
  waiver: string,
  proof: Proof,
): Promise<AnswerOf<typeof readSignedTextRoute>> => post(token, '/returning/text', { waiver, ...proof });

/** A confirmation for the people of one signing. */
export type Reuse = Readonly<Omit<BodyOf<typeof confirmSigned>, 'email' | 'proof'>>;

/** Stores a confirmation. Idempotent: the same one may be sent again. @throws Refused */
export const sendReuse = (token: string, reuse: Reuse, proof: Proof): Promise<StoredSigning> =>
  post(token, '/reuses', { ...reuse, ...proof });

/** A person who is coming, and which guest of the booking they are (null: none of them). */
export interface ComingPerson extends ReturningPerson {
  readonly bookingGuestId: string | null;
}

const asDraftPerson = ({ answers, bookingGuestId }: ComingPerson): DraftPerson => ({
  ...newPerson(),
  answers,
  // Ask again if nothing was chosen.
  ...(bookingGuestId === null ? {} : { bookingGuestId }),
});

/** A draft prefilled with these people's earlier answers, to review and sign again. */
export function withEarlierAnswers(draft: Draft, people: readonly ComingPerson[]): Draft {
  const [first] = people;
  const choices = signingForChoices(draft.form.content);
  const signer = people.find(({ isMinor }) => !isMinor) ?? (choices.includes('both') ? undefined : first);
  const children = people.filter((person) => person !== signer && person.isMinor);
  const wanted = children.length === 0 ? 'self' : signer === undefined ? 'children' : 'both';
  const self = signer === undefined ? draft.self : { ...asDraftPerson(signer), key: draft.self.key };
  const signingFor = choices.includes(wanted) ? wanted : draft.signingFor;
  return withSigningFor(
    {
      ...draft,
      self,
      children: children.length === 0 ? draft.children : children.map(asDraftPerson),
      signerAnswers: { ...draft.signerAnswers, ...(signer ?? first)?.signerAnswers },
    },
    signingFor,
  );
}

export function bySigning<Person extends ReturningPerson>(people: readonly Person[]): readonly Person[][] {
  const groups = new Map<string, Person[]>();
  for (const person of people) groups.set(person.signing, [...(groups.get(person.signing) ?? []), person]);
  return [...groups.values()];
}
