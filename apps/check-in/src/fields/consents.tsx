import { type AgreeItem, formText, signingLimits, type TextItem } from '@waiver-service/forms';
import { actOn, withAct } from '../draft/answers.ts';
import { useItemProblem, useSigning } from '../screens/signing-context.ts';
import { Choice } from './choices.tsx';
import { Field } from './field.tsx';
import { FormText } from './form-text.tsx';
import { onText } from './on-text.ts';

/** A text to read, with the signer's initials below if the form requires them. */
export function TextToRead({ item }: { readonly item: TextItem }) {
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
export function Consent({ item }: { readonly item: AgreeItem }) {
  const { words, draft, change } = useSigning();
  const problem = useItemProblem(item.id, null);
  const id = `agree-${item.id}`;
  const optional = `(${words.optional})`;
  // Forms that say so themselves: as the examples did.
  const saysOptional = formText(item.text, draft.language).trim().toLowerCase().endsWith(optional);
  return (
    <div class={problem ? 'field consent invalid' : 'field consent'}>
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
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
