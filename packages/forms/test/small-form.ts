import type { AgreeItem, AskItem, FormContent, Item, Page, SignItem, TextItem } from '../src/content.ts';

/** In English only. */
export const en = (text: string) => ({ en: text });

export const ask = (id: string, kind: AskItem['kind'], more: Partial<AskItem> = {}): AskItem => ({
  type: 'ask',
  id,
  kind,
  label: en(`${id}?`),
  required: true,
  per: 'guest',
  ...more,
});
export const read = (id: string, more: Partial<TextItem> = {}): TextItem => ({
  type: 'text',
  id,
  text: en(`Text ${id}`),
  ...more,
});
export const agree = (act: AgreeItem['act'], more: Partial<AgreeItem> = {}): AgreeItem => ({
  type: 'agree',
  id: act,
  act,
  text: en(`I agree (${act})`),
  required: true,
  ...more,
});
export const sign = (by: SignItem['by'], more: Partial<SignItem> = {}): SignItem => ({
  type: 'sign',
  id: `${by}Signature`,
  by,
  statement: en(`The ${by} signs`),
  methods: ['draw', 'type'],
  ...more,
});
export const choice = (id: string, options: readonly string[], more: Partial<AskItem> = {}): AskItem =>
  ask(id, 'choice', { options: options.map((option) => ({ id: option, label: en(option) })), ...more });

export const nameItem = ask('name', 'text', { property: 'name' });
export const bornItem = ask('born', 'date', { property: 'dateOfBirth' });

export const page = (id: string, items: readonly Item[], more: Partial<Page> = {}): Page => ({
  id,
  title: en(`Page ${id}`),
  items,
  ...more,
});

/** A form that can be published: who, some items, the signatures. Adults, and minors with a guardian. */
export function formWith(items: readonly Item[] = [], more: Partial<FormContent> = {}): FormContent {
  return {
    languages: ['en'],
    activities: [],
    validity: { visit: true },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, maxMinors: 3 },
    guardian: { relationship: 'ask', age: 'birthDate' },
    pages: [
      page('you', [nameItem, bornItem, ...items]),
      page('end', [agree('electronic'), sign('guest'), sign('guardian')]),
    ],
    ...more,
  };
}

export const families: FormContent['people'] = {
  adults: true,
  minors: 'guardian',
  majority: 18,
  maxMinors: 3,
};
export const adultsOnly: FormContent['people'] = {
  adults: true,
  minors: 'no',
  majority: 18,
  maxMinors: 0,
};
