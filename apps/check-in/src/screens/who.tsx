import { signingLimits } from '@waiver-service/forms';
import { type DraftPerson, isTaken, signerAsGuest, takesPart, withPerson } from '../draft/draft.ts';
import {
  asBookedGuest,
  guardianQuestions,
  nameOf,
  signingForChoices,
  withAnotherChild,
  withoutChild,
  withSigningFor,
} from '../draft/people.ts';
import { DateField } from '../fields/date-field.tsx';
import { Choice, Field, FieldGroup, onText, Problem } from '../fields/field.tsx';
import { Question } from '../fields/question.tsx';
import { type BookedGuest, isShared } from '../host/calls.ts';
import { asksWhichGuest, identityQuestions, whichGuestField } from '../steps/steps.ts';
import { fill } from '../text/words.ts';
import { useFieldProblem, useSigning } from './signing-context.ts';

export function Children() {
  const { words, draft, change } = useSigning();
  const { majority, maxMinors } = draft.form.content.people;
  const problem = useFieldProblem('guests');
  const first = takesPart(draft) ? 1 : 0;
  return (
    <>
      <p class="intro">{fill(words.children.intro, { majority })}</p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {draft.children.map((child, index) => (
        <Child key={child.key} child={child} index={index} guest={first + index} />
      ))}
      {draft.children.length < maxMinors ? (
        <button type="button" class="secondary add" onClick={() => change(withAnotherChild)}>
          {words.children.add}
        </button>
      ) : (
        <p class="help">{fill(words.children.atMost, { count: maxMinors })}</p>
      )}
    </>
  );
}

interface ChildProps {
  readonly child: DraftPerson;
  readonly index: number;
  /** The child's index among the signing's guests. */
  readonly guest: number;
}

function Child({ child, index, guest }: ChildProps) {
  const { words, draft, change } = useSigning();
  const name = nameOf(draft.form.content, child);
  const title = fill(words.child, { number: index + 1 });
  const id = `child-${child.key}`;
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {draft.children.length > 1 && (
          <button
            type="button"
            class="quiet"
            onClick={() => change((former) => withoutChild(former, child.key))}
          >
            {fill(words.children.remove, { name: name || title })}
          </button>
        )}
      </div>
      <WhichGuest child={child} />
      {identityQuestions(draft, guest).map(
        ({ item }) => item.type === 'ask' && <Question key={item.id} item={item} guest={guest} />,
      )}
    </section>
  );
}

function WhichGuest({ child }: { readonly child: DraftPerson }) {
  const { words, session, draft, change } = useSigning();
  const guests = session.guests.filter(
    ({ bookingGuestId, signed }) => !signed && !isTaken(draft, child, bookingGuestId),
  );
  if (guests.length === 0) return null;
  return (
    <Field
      id={`guest-${child.key}`}
      label={words.children.whichGuest}
      control={(props) => (
        <select
          {...props}
          value={child.bookingGuestId ?? ''}
          {...onText((value) => {
            const guest = guests.find(({ bookingGuestId }) => bookingGuestId === value) ?? null;
            change((former) =>
              withPerson(former, child.key, (person) => asBookedGuest(person, guest, former.form.content)),
            );
          })}
        >
          <option value="">{words.children.notListed}</option>
          {guests.map(({ bookingGuestId, label }) => (
            <option key={bookingGuestId} value={bookingGuestId}>
              {label}
            </option>
          ))}
        </select>
      )}
    />
  );
}

/** Asks who signs, for whom, and which of the booking's guests they are. */
export function Who() {
  const { draft } = useSigning();
  return (
    <>
      <SigningForQuestion />
      <WhichGuestSigns />
      <GuardianFields />
      {identityQuestions(draft, 'signer').map(
        ({ item, guest }) => item.type === 'ask' && <Question key={item.id} item={item} guest={guest} />,
      )}
    </>
  );
}

function SigningForQuestion() {
  const { words, draft, change } = useSigning();
  const choices = signingForChoices(draft.form.content);
  if (choices.length < 2) return null;
  return (
    <FieldGroup id="signing-for" label={words.who.signingFor}>
      <div class="choices">
        {choices.map((one) => (
          <Choice
            key={one}
            type="radio"
            name="signing-for"
            isChosen={draft.signingFor === one}
            onChoose={() => change((former) => withSigningFor(former, one))}
          >
            {words.who[one]}
            {one === 'children' && <span class="help">{words.who.childrenHelp}</span>}
          </Choice>
        ))}
      </div>
    </FieldGroup>
  );
}

function WhichGuestSigns() {
  const { words, session, draft, change } = useSigning();
  const { guests, form } = session;
  const problem = useFieldProblem(whichGuestField);
  if (!asksWhichGuest(draft, session)) return null;
  const { bookingGuestId: chosen } = signerAsGuest(draft);
  const choose = (guest: BookedGuest | null) =>
    change((former) => ({ ...former, self: asBookedGuest(former.self, guest, form.content) }));
  return (
    <FieldGroup id="which-guest" label={words.who.whichGuest} problem={problem}>
      <div class="choices">
        {guests.map((guest) => (
          <Choice
            key={guest.bookingGuestId}
            type="radio"
            name="which-guest"
            isChosen={chosen === guest.bookingGuestId}
            isDisabled={guest.signed || isTaken(draft, draft.self, guest.bookingGuestId)}
            onChoose={() => choose(guest)}
          >
            <bdi>{guest.label}</bdi>
            {guest.signed && <span class="tag">{words.who.hasSigned}</span>}
          </Choice>
        ))}
        <Choice type="radio" name="which-guest" isChosen={chosen === null} onChoose={() => choose(null)}>
          {words.who.notListed}
        </Choice>
      </div>
    </FieldGroup>
  );
}

/** The questions to a parent or guardian; one who takes part is asked only about the relationship. */
function GuardianFields() {
  const { words, session, draft, change } = useSigning();
  const asked = guardianQuestions(draft.form.content, draft);
  const { guardian } = draft;
  const set = (part: Partial<typeof guardian>) =>
    change((former) => ({ ...former, guardian: { ...former.guardian, ...part } }));
  const ageProblem = useFieldProblem('signer.guardian.ofAge');
  const nameProblem = useFieldProblem('signer.guardian.name');
  const relationshipProblem = useFieldProblem('signer.guardian.relationship');
  const birthDateProblem = useFieldProblem('signer.guardian.dateOfBirth');
  return (
    <>
      {asked.name && (
        <Field
          id="guardian-name"
          label={words.who.guardianName}
          problem={nameProblem}
          control={(props) => (
            <input
              {...props}
              autocomplete={isShared(session) ? 'off' : 'name'}
              maxLength={signingLimits.name}
              value={guardian.name ?? ''}
              {...onText((name) => set({ name }))}
            />
          )}
        />
      )}
      {asked.relationship && (
        <Field
          id="guardian-relationship"
          label={words.who.relationship}
          isOptional={asked.relationship === 'ask'}
          help={words.who.relationshipHelp}
          problem={relationshipProblem}
          control={(props) => (
            <input
              {...props}
              autocomplete="off"
              maxLength={signingLimits.line}
              value={guardian.relationship ?? ''}
              {...onText((relationship) => set({ relationship }))}
            />
          )}
        />
      )}
      {asked.age === 'birthDate' && (
        <DateField
          id="guardian-date-of-birth"
          label={words.who.dateOfBirth}
          problem={birthDateProblem}
          isOwnBirthday={!isShared(session)}
          value={guardian.dateOfBirth ?? ''}
          onInput={(dateOfBirth) => set({ dateOfBirth })}
        />
      )}
      {asked.age === 'tick' && (
        <div class={ageProblem ? 'field invalid' : 'field'}>
          <Problem id="guardian-of-age" problem={ageProblem} />
          <Choice
            type="checkbox"
            name="guardian-of-age"
            isChosen={guardian.ofAge === true}
            describedBy={ageProblem && 'guardian-of-age-problem'}
            isInvalid={ageProblem !== undefined}
            onChoose={(isOfAge) =>
              change((former) => {
                const { ofAge: _, ...others } = former.guardian;
                return { ...former, guardian: isOfAge ? { ...others, ofAge: true } : others };
              })
            }
          >
            {fill(words.who.ofAge, { years: draft.form.content.people.majority })}
          </Choice>
        </div>
      )}
    </>
  );
}
