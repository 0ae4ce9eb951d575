import type { GivenAnswers, ShownPage } from '@waiver-service/forms';
import type { Draft, DraftPerson } from '../draft/draft.ts';
import { newPerson, signingForChoices, withSigningFor } from '../draft/people.ts';
import { post, type StoredSigning } from '../host/calls.ts';

/** The proof that an address is the guest's; empty on a link to one guest. */
export type Proof = { readonly email: string; readonly proof: string } | Record<string, never>;

/** A person who may confirm an earlier waiver instead of signing. */
export interface ReturningPerson {
  /** The waiver's id. */
  readonly waiver: string;
  /** The signing's id: people who signed together confirm together. */
  readonly signing: string;
  readonly name: string | null;
  readonly isMinor: boolean;
  /** On a link to one guest: whether this is the guest, by name. */
  readonly isGuestOfLink: boolean;
  /** `YYYY-MM-DD` */
  readonly signedOn: string;
  readonly validUntil: string;
  readonly form: { readonly name: string };
  /** By the items of the current form; without health answers. */
  readonly answers: GivenAnswers;
  readonly signerAnswers: GivenAnswers;
  readonly questions: {
    readonly text: string;
    readonly guardianText: string;
    readonly health: string | null;
  };
}

interface Address {
  readonly email: string;
  readonly language: string;
}

/** Requests a code by email, sent if the address is known. @returns the code's id @throws Refused */
export const askForCode = async (token: string, address: Address): Promise<string> =>
  (await post<{ readonly id: string }>(token, '/returning/codes', address)).id;

/** @throws Refused */
export async function exchangeCode(
  token: string,
  code: { readonly id: string; readonly email: string; readonly code: string },
): Promise<Proof> {
  const { proof } = await post<{ readonly proof: string }>(token, '/returning/proofs', code);
  return { email: code.email, proof };
}

/** @throws Refused */
export const readPeople = async (
  token: string,
  language: string,
  proof: Proof,
): Promise<readonly ReturningPerson[]> =>
  (
    await post<{ readonly people: readonly ReturningPerson[] }>(token, '/returning/people', {
      language,
      ...proof,
    })
  ).people;

/** The text as signed. @throws Refused */
export const readSignedText = (
  token: string,
  waiver: string,
  proof: Proof,
): Promise<{ readonly language: string; readonly pages: readonly ShownPage[] }> =>
  post(token, '/returning/text', { waiver, ...proof });

/** A confirmation for the people of one signing. */
export interface Reuse {
  readonly id: string;
  readonly language: string;
  readonly people: readonly { readonly waiver: string; readonly bookingGuestId?: string }[];
  readonly healthUnchanged?: true;
  readonly times: { readonly openedAt: string; readonly confirmedAt: string; readonly translatedAt?: string };
}

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
