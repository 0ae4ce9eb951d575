import type { Page } from '@waiver-service/forms';
import { guestsOf } from '../draft/draft.ts';
import { Consent, TextToRead } from '../fields/consents.tsx';
import { Question } from '../fields/question.tsx';
import { SignatureField } from '../fields/signature.tsx';
import { pageItems, type StepItem } from '../steps/steps.ts';
import { fill } from '../text/fill.ts';
import { languageName } from '../text/formats.ts';
import { groupsOf, guestTitle } from './groups.ts';
import { useSigning } from './signing-context.ts';

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
