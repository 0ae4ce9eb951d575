import {
  type AgreeItem,
  type FormContent,
  formText,
  type Item,
  type Page,
  signingLimits,
  type TextItem,
} from '@waiver-service/forms';
import { actOn, changedItems, guestsOf, withAct } from '../draft/draft.ts';
import { Choice, Field, onText, Problem } from '../fields/field.tsx';
import { FormText } from '../fields/form-text.tsx';
import { Question } from '../fields/question.tsx';
import { SignatureField } from '../fields/signature.tsx';
import { groupsOf, guestTitle, pageItems, type StepItem } from '../steps/steps.ts';
import { languageName } from '../text/formats.ts';
import { fill } from '../text/words.ts';
import { useItemProblem, useSigning } from './signing-context.ts';

/** A text to read, with the signer's initials below if the form requires them. */
function TextToRead({ item }: { readonly item: TextItem }) {
  const { words, draft, change } = useSigning();
  const problem = useItemProblem(item.id, null);
  const act = actOn(draft, item.id, null);
  return (
    <section class={item.initials ? 'card prose' : 'prose'}>
      <FormText text={item.text} />
      {item.initials && (
        <Field
          id={`initials-${item.id}`}
          label={words.fields.initials}
          help={words.fields.initialsHelp}
          problem={problem}
          control={(props) => (
            <input
              {...props}
              class="initials"
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              maxLength={signingLimits.initials}
              value={act?.act === 'initial' ? act.initials : ''}
              {...onText((value) =>
                change((former) =>
                  withAct(
                    former,
                    item.id,
                    null,
                    value === '' ? undefined : { act: 'initial', initials: value },
                    new Date(),
                  ),
                ),
              )}
            />
          )}
        />
      )}
    </section>
  );
}

/** A consent, never pre-ticked. */
function Consent({ item }: { readonly item: AgreeItem }) {
  const { words, draft, change } = useSigning();
  const problem = useItemProblem(item.id, null);
  const id = `agree-${item.id}`;
  const optional = `(${words.optional})`;
  // Forms that say so themselves: as the examples did.
  const saysOptional = formText(item.text, draft.language).trim().toLowerCase().endsWith(optional);
  return (
    <div class={problem ? 'field consent invalid' : 'field consent'}>
      <Problem id={id} problem={problem} />
      <Choice
        type="checkbox"
        name={id}
        isChosen={actOn(draft, item.id, null) !== undefined}
        describedBy={problem && `${id}-problem`}
        isInvalid={problem !== undefined}
        onChoose={(isChosen) =>
          change((former) =>
            withAct(former, item.id, null, isChosen ? { act: 'agree' } : undefined, new Date()),
          )
        }
      >
        <FormText text={item.text} />
        {!item.required && !saysOptional && <span class="optional"> {optional}</span>}
      </Choice>
    </div>
  );
}

const textOf = (item: Item) => {
  if (item.type === 'ask') return item.label;
  return item.type === 'sign' ? item.statement : item.text;
};

/** The changes in a newer version of the form. */
export function Changed({ former }: { readonly former: FormContent }) {
  const { words, draft } = useSigning();
  const changes = changedItems(former, draft.form.content, draft.language);
  return (
    <>
      <p class="intro">{words.changed.intro}</p>
      {changes.map(({ change, item }) => (
        <section key={`${change} ${item.id}`} class="card prose">
          <p class="tag">{words.changed[change]}</p>
          <FormText text={textOf(item)} />
        </section>
      ))}
      {changes.length === 0 && <p>{words.changed.small}</p>}
    </>
  );
}

function ItemOfForm({ item, guest }: StepItem) {
  switch (item.type) {
    case 'ask':
      return <Question item={item} guest={guest} />;
    case 'text':
      return <TextToRead item={item} />;
    case 'agree':
      return <Consent item={item} />;
    case 'sign':
      return <SignatureField item={item} guest={guest} />;
  }
}

/** A page of the form: its items for everyone, in the form's order. */
export function FormPage({ page }: { readonly page: Page }) {
  const { words, session, draft } = useSigning();
  const { binding } = draft.form.content;
  const items = pageItems(draft, session, page);
  const guests = guestsOf(draft);
  const hasText = items.some(({ item }) => item.type !== 'ask');
  return (
    <>
      {hasText && binding !== undefined && binding !== draft.language && (
        <p class="note">{fill(words.bindingLanguage, { language: languageName(binding) })}</p>
      )}
      {groupsOf(items).map((group) => {
        const key = `${group.guest ?? 'all'} ${group.items.map(({ item, guest }) => `${item.id}/${guest}`)[0]}`;
        const children = group.items.map(({ item, guest }) => (
          <ItemOfForm key={`${item.id} ${guest}`} item={item} guest={guest} />
        ));
        if (group.guest === null || guests.length === 1) return <div key={key}>{children}</div>;
        return (
          <section key={key} class="card" aria-labelledby={`of-${key}`}>
            <h2 id={`of-${key}`}>{guestTitle(draft, group.guest, words)}</h2>
            {children}
          </section>
        );
      })}
    </>
  );
}
