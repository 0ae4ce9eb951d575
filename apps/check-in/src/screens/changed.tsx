import type { FormContent, Item } from '@waiver-service/forms';
import { changedItems } from '../draft/form-change.ts';
import { FormText } from '../fields/form-text.tsx';
import { useSigning } from './signing-context.ts';

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
