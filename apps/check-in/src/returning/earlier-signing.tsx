import type {
  AnswerOf,
  askForCode as askForCodeRoute,
  BodyOf,
  confirmSigned,
  exchangeCode as exchangeCodeRoute,
  listReturningPeople,
  readSignedText as readSignedTextRoute,
} from '@waiver-service/api';
import {
  type AskItem,
  formText,
  type GivenAnswers,
  type ShownItem,
  type ShownPage,
} from '@waiver-service/forms';
import { useState } from 'preact/hooks';
import type { Draft, DraftPerson } from '../draft/draft.ts';
import { newPerson, signingForChoices, withSigningFor } from '../draft/people.ts';
import { FormText } from '../fields/form-text.tsx';
import { post, type StoredSigning } from '../host/calls.ts';
import { AnswerText, Entry } from '../screens/check.tsx';
import { useSigning } from '../screens/signing-context.ts';
import { formatDay, formatList } from '../text/formats.ts';
import { fill } from '../text/words.ts';

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
const readSignedText = (
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

interface EarlierSigningProps {
  readonly token: string;
  readonly proof: Proof;
  /** All of the same signing. */
  readonly people: readonly ComingPerson[];
}

/** An earlier signing: when and for whom, its answers, and the text to reread. */
export function EarlierSigning({ token, proof, people }: EarlierSigningProps) {
  const { draft, words } = useSigning();
  const { language } = draft;
  const { returning: texts } = words;
  const [first] = people;
  if (first === undefined) return null;
  const names = people.map(({ name }) => name ?? '').filter((name) => name !== '');
  return (
    <section class="card summary" aria-labelledby={`earlier-${first.waiver}`}>
      <h2 id={`earlier-${first.waiver}`}>
        <bdi>{formatList(language, names)}</bdi>
      </h2>
      <p>
        {fill(texts.signedOn, { form: first.form.name, day: formatDay(language, first.signedOn) })}
        <br />
        {fill(texts.validUntil, { day: formatDay(language, first.validUntil) })}
      </p>
      {people.map((person) => (
        <EarlierAnswers key={person.waiver} person={person} isOnly={people.length === 1} />
      ))}
      <SignedText token={token} proof={proof} waiver={first.waiver} />
    </section>
  );
}

function EarlierAnswers({ person, isOnly }: { readonly person: ComingPerson; readonly isOnly: boolean }) {
  const { draft, words } = useSigning();
  const { returning: texts } = words;
  const asked = draft.form.content.pages
    .flatMap(({ items }) => items)
    .filter((item): item is AskItem => item.type === 'ask');
  const answered = asked.flatMap((item) => {
    const answer = person.answers[item.id] ?? person.signerAnswers[item.id];
    return answer === undefined ? [] : [{ item, answer }];
  });
  return (
    <details>
      <summary>
        {texts.answers}
        {!isOnly && (
          <>
            {': '}
            <bdi>{person.name}</bdi>
          </>
        )}
      </summary>
      <dl>
        {answered.map(({ item, answer }) => (
          <Entry key={item.id} term={formText(item.label, draft.language)}>
            <AnswerText item={item} answer={answer} />
          </Entry>
        ))}
      </dl>
    </details>
  );
}

const textOf = (item: ShownItem) =>
  item.type === 'ask' ? undefined : item.type === 'sign' ? item.statement : item.text;

type Text = { readonly language: string; readonly pages: readonly ShownPage[] };

/** The text as signed, loaded when opened. */
function SignedText({
  token,
  proof,
  waiver,
}: Omit<EarlierSigningProps, 'people'> & { readonly waiver: string }) {
  const { draft, words } = useSigning();
  const { returning: texts } = words;
  const [text, setText] = useState<Text | 'failed'>();
  const load = () => {
    if (text !== undefined && text !== 'failed') return;
    setText(undefined);
    readSignedText(token, waiver, proof).then(setText, () => setText('failed'));
  };
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && load()}>
      <summary>{texts.readAgain}</summary>
      {text === undefined && <p class="help">{words.loading}</p>}
      {text === 'failed' && <p class="problem">{texts.unread}</p>}
      {typeof text === 'object' && (
        <div class="prose" lang={text.language} dir="auto">
          {text.pages
            .flatMap(({ items }) => items)
            .map((item) => {
              const shown = textOf(item);
              return shown === undefined ? null : (
                <FormText key={item.item} text={{ [draft.language]: shown }} />
              );
            })}
        </div>
      )}
    </details>
  );
}
