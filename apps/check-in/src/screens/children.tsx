import { withPerson } from '../draft/answers.ts';
import { type DraftPerson, isTaken, takesPart } from '../draft/draft.ts';
import { asBookedGuest, nameOf, withAnotherChild, withoutChild } from '../draft/people.ts';
import { Field } from '../fields/field.tsx';
import { onText } from '../fields/on-text.ts';
import { Question } from '../fields/question.tsx';
import { identityQuestions } from '../steps/steps.ts';
import { fill } from '../text/fill.ts';
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
