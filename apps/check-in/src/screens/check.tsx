import { type Answer, type AskItem, formText, type Guardian } from '@waiver-service/forms';
import type { ComponentChildren } from 'preact';
import { actOn, answersOf, bringsChildren, guestsOf, takesPart } from '../draft/draft.ts';
import { guardianOf } from '../draft/people.ts';
import { verbatim } from '../fields/field.tsx';
import { FormLine } from '../fields/form-text.tsx';
import { DrawingView } from '../fields/signature.tsx';
import {
  type Group,
  groupsOf,
  guestTitle,
  identityQuestions,
  pageItems,
  type Step,
  type StepItem,
  signatureTitle,
  stepsOf,
} from '../steps/steps.ts';
import { countries, formatDay } from '../text/formats.ts';
import { fill } from '../text/words.ts';
import { useSigning } from './signing-context.ts';

/** Everything that will be sent, with a link back to each screen. */
export function Check({ onChange }: { readonly onChange: ((step: Step) => void) | undefined }) {
  const { words, session, draft } = useSigning();
  const { content } = draft.form;
  const steps = stepsOf(draft, session).filter(({ kind }) => kind !== 'check');
  const first = takesPart(draft) ? 1 : 0;
  const titles = { who: words.who.title, children: words.children.title, check: words.check.title };
  const itemsOf = (step: Step): readonly StepItem[] => {
    if (step.kind === 'page') return pageItems(draft, session, step.page);
    if (step.kind === 'who') return identityQuestions(draft, 'signer');
    return bringsChildren(draft)
      ? draft.children.flatMap((_, index) => identityQuestions(draft, first + index))
      : [];
  };
  return (
    <>
      {onChange && <p class="intro">{words.check.intro}</p>}
      {steps.map((step) => {
        const title = step.kind === 'page' ? formText(step.page.title, draft.language) : titles[step.kind];
        return (
          <section key={step.id} class="card summary" aria-labelledby={`check-${step.id}`}>
            <div class="card-head">
              <h2 id={`check-${step.id}`}>{title}</h2>
              {onChange && (
                <button
                  type="button"
                  class="quiet"
                  aria-describedby={`check-${step.id}`}
                  onClick={() => onChange(step)}
                >
                  {words.check.change}
                </button>
              )}
            </div>
            {step.kind === 'who' && <GuardianSummary guardian={guardianOf(content, draft)} />}
            {groupsOf(itemsOf(step)).map(({ guest, items }) => (
              <GroupSummary key={`${guest} ${items[0]?.item.id}`} guest={guest} items={items} />
            ))}
          </section>
        );
      })}
    </>
  );
}

function GuardianSummary({ guardian }: { readonly guardian: Guardian | undefined }) {
  const { words, draft } = useSigning();
  if (guardian === undefined) return null;
  const { name, relationship, dateOfBirth } = guardian;
  return (
    <dl>
      {name !== undefined && <Entry term={words.who.guardianName}>{name}</Entry>}
      {relationship !== undefined && <Entry term={words.who.relationship}>{relationship}</Entry>}
      {dateOfBirth !== undefined && (
        <Entry term={words.who.dateOfBirth}>{formatDay(draft.language, dateOfBirth)}</Entry>
      )}
    </dl>
  );
}

interface EntryProps {
  readonly term: ComponentChildren;
  readonly isConsent?: boolean;
  readonly children: ComponentChildren;
}

/** A question or text, and the answer or act. */
export function Entry({ term, isConsent = false, children }: EntryProps) {
  return (
    <div class={isConsent ? 'entry consent' : 'entry'}>
      <dt>{term}</dt>
      <dd {...(isConsent ? verbatim : {})}>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

function GroupSummary({ guest, items }: Group) {
  const { words, draft } = useSigning();
  const guests = guestsOf(draft);
  // Otherwise the guest's name is among these answers.
  const hasTitle =
    guest !== null &&
    guests.length > 1 &&
    !items.some(({ item }) => item.type === 'ask' && item.property === 'name');
  return (
    <>
      {hasTitle && (
        <h3>
          <bdi>{guestTitle(draft, guest, words)}</bdi>
        </h3>
      )}
      <dl>
        {items.map((one) => (
          <ItemSummary key={`${one.item.id} ${one.guest}`} {...one} />
        ))}
      </dl>
    </>
  );
}

function ItemSummary({ item, guest }: StepItem) {
  const { words, draft } = useSigning();
  const act = actOn(draft, item.id, guest);
  switch (item.type) {
    case 'ask': {
      const answer = answersOf(draft, guest)[item.id];
      if (answer === undefined || answer === '') return null;
      return (
        <Entry term={formText(item.label, draft.language)}>
          <AnswerText item={item} answer={answer} />
        </Entry>
      );
    }
    case 'sign':
      return (
        <Entry term={signatureTitle(draft, guest, words)}>
          {act?.act === 'sign' &&
            (act.method === 'draw' ? (
              <DrawingView {...act} />
            ) : (
              <span class="typed-signature notranslate" translate={false}>
                {act.name}
              </span>
            ))}
        </Entry>
      );
    case 'agree':
      return (
        <Entry isConsent term={<FormLine text={item.text} />}>
          {act === undefined ? words.check.notAgreed : words.check.agreed}
        </Entry>
      );
    case 'text':
      if (act?.act !== 'initial') return null;
      return (
        <Entry isConsent term={<FormLine text={item.text} />}>
          {fill(words.check.initials, { initials: act.initials })}
        </Entry>
      );
  }
}

/** An answer in words. */
export function AnswerText({ item, answer }: { readonly item: AskItem; readonly answer: Answer }) {
  const { words, draft } = useSigning();
  const labels = () => {
    const options =
      item.kind === 'country'
        ? countries(draft.language)
        : (item.options ?? []).map(({ id, label }) => ({ id, label: formText(label, draft.language) }));
    const chosen: readonly Answer[] = Array.isArray(answer) ? answer : [answer];
    return options.filter(({ id }) => chosen.includes(id)).map(({ label }) => label);
  };
  switch (item.kind) {
    case 'yesno':
      return <span>{answer === true ? words.fields.yes : words.fields.no}</span>;
    case 'date':
      return <span>{formatDay(draft.language, String(answer))}</span>;
    case 'choice':
    case 'choices':
    case 'country':
      return <span>{labels().join(', ')}</span>;
    case 'photo': {
      const photo = draft.photos.find(({ id }) => id === answer);
      return photo === undefined ? null : <img src={`data:${photo.type};base64,${photo.data}`} alt="" />;
    }
    default:
      return <span {...verbatim}>{String(answer)}</span>;
  }
}
