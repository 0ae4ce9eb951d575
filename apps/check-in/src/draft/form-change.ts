import type { FormContent, Item, PublishedForm } from '@waiver-service/forms';
import type { Draft } from './draft.ts';

/** An item that a newer version adds, rewords or removes. */
interface ChangedItem {
  readonly change: 'added' | 'reworded' | 'removed';
  readonly item: Item;
}

const itemsOf = ({ pages }: FormContent) => pages.flatMap(({ items }) => items);

/** An item's texts as the guest reads them, for comparison. */
function wordingOf(item: Item, language: string): string {
  const texts = (() => {
    if (item.type === 'sign') return [item.statement];
    if (item.type === 'ask')
      return [
        item.label,
        ...(item.help === undefined ? [] : [item.help]),
        ...(item.options ?? []).map(({ label }) => label),
      ];
    return [item.text];
  })();
  return JSON.stringify([item.type, ...texts.map((text) => text[language] ?? '')]);
}

/** The changes for a guest who has seen the previous version. */
export function changedItems(former: FormContent, current: FormContent, language: string): ChangedItem[] {
  const before = new Map(itemsOf(former).map((item) => [item.id, item]));
  const now = itemsOf(current);
  const changes = now.flatMap((item): ChangedItem[] => {
    const one = before.get(item.id);
    if (one === undefined) return [{ change: 'added', item }];
    return wordingOf(one, language) === wordingOf(item, language) ? [] : [{ change: 'reworded', item }];
  });
  const kept = new Set(now.map(({ id }) => id));
  const removed = itemsOf(former).filter(({ id }) => !kept.has(id));
  return [...changes, ...removed.map((item): ChangedItem => ({ change: 'removed', item }))];
}

/** Moves a draft to a newer version. Keeps all answers, and the consents and initials on unchanged wording. */
export function forNewVersion(draft: Draft, form: PublishedForm): Draft {
  const { languages } = form.content;
  const language = languages.includes(draft.language) ? draft.language : (languages[0] ?? draft.language);
  const changed = changedItems(draft.form.content, form.content, language).map(({ item }) => item.id);
  const isKept = ({ act, item }: Draft['acts'][number]) =>
    language === draft.language && act !== 'sign' && !changed.includes(item);
  return { ...draft, form, language, acts: draft.acts.filter(isKept), pages: [] };
}
