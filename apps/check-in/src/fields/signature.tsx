import { type SignItem, type SignMethod, signingLimits } from '@waiver-service/forms';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { actOn, type Done, withAct } from '../draft/draft.ts';
import { SignaturePad } from '../ink/signature-pad.tsx';
import type { Drawing } from '../ink/strokes.ts';
import { signatureTitle } from '../screens/groups.ts';
import { useItemProblem, useSigning } from '../screens/signing-context.ts';
import { Choice, Field, onText, Problem } from './field.tsx';
import { FormText } from './form-text.tsx';

type Signature = Extract<Done, { act: 'sign' }>;

/** A signature, drawn or typed: both are equally valid, and switching discards neither. */
export function SignatureField({ item, guest }: { readonly item: SignItem; readonly guest: number | null }) {
  const { words, draft, change } = useSigning();
  const problem = useItemProblem(item.id, guest);
  const act = actOn(draft, item.id, guest);
  const signed = act?.act === 'sign' ? act : undefined;
  const [method, setMethod] = useState<SignMethod>(signed?.method ?? item.methods[0] ?? 'type');
  // Keeps the drawing for a guest who switches to typing and back.
  const drafts = useRef<Partial<Record<SignMethod, Signature>>>({});
  // A signature is given to the text in one language.
  useLayoutEffect(() => {
    drafts.current = {};
  }, [draft.language]);

  const sign = (done: Signature | undefined, by: SignMethod = method) => {
    drafts.current = { ...drafts.current, [by]: done };
    change((former) => withAct(former, item.id, guest, done, new Date()));
  };
  const choose = (next: SignMethod) => {
    if (signed !== undefined) drafts.current = { ...drafts.current, [signed.method]: withoutPlace(signed) };
    setMethod(next);
    sign(drafts.current[next], next);
  };

  const id = `sign-${item.id}-${guest ?? 'all'}`;
  const title = signatureTitle(draft, guest, words);
  const drawing: Drawing | undefined = signed?.method === 'draw' ? signed : undefined;
  const describedBy = `${id}-statement${problem ? ` ${id}-problem` : ''}`;
  return (
    <section class={problem ? 'card sign invalid' : 'card sign'} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <div id={`${id}-statement`}>
        <FormText text={item.statement} />
      </div>
      {item.methods.length > 1 && (
        <fieldset>
          <legend class="help">{words.signature.how}</legend>
          <div class="choices side-by-side">
            {item.methods.map((one) => (
              <Choice
                key={one}
                type="radio"
                name={`${id}-method`}
                isChosen={method === one}
                onChoose={() => choose(one)}
              >
                {words.signature[one]}
              </Choice>
            ))}
          </div>
        </fieldset>
      )}
      {method === 'type' ? (
        <Field
          id={id}
          label={words.signature.typeHere}
          problem={problem}
          control={(props) => (
            <input
              {...props}
              class="typed-signature"
              aria-describedby={describedBy}
              autocomplete="off"
              spellcheck={false}
              maxLength={signingLimits.name}
              value={signed?.method === 'type' ? signed.name : ''}
              {...onText((value) =>
                sign(value === '' ? undefined : { act: 'sign', method: 'type', name: value }),
              )}
            />
          )}
        />
      ) : (
        <>
          <Problem id={id} problem={problem} />
          <SignaturePad
            id={id}
            describedBy={describedBy}
            isInvalid={problem !== undefined}
            drawing={drawing}
            onDraw={(drawn) => sign(drawn && { act: 'sign', method: 'draw', ...drawn })}
          />
        </>
      )}
    </section>
  );
}

function withoutPlace(signature: Signature): Signature {
  if (signature.method === 'type') return { act: 'sign', method: 'type', name: signature.name };
  const { strokes, width, height } = signature;
  return { act: 'sign', method: 'draw', strokes, width, height };
}
