import type { Draft, DraftPerson } from '../draft/draft.ts';
import { newPerson, signingForChoices, withSigningFor } from '../draft/people.ts';
import type { ReturningPerson } from './calls.ts';

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
