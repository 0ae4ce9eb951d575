import type {
  AskItem,
  ConsentAct,
  FormContent,
  Item,
  Option,
  Page,
  Property,
  Text,
  When,
} from '@waiver-service/forms';
import { formsTexts } from '../../text/english/forms.ts';

/** With a random suffix, so that a removed item's id is never reused with another meaning. */
const newId = (base: string) => `${base}-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`;

/** Omits an empty text, so that it counts as missing. */
export function withText(text: Text, language: string, written: string): Text {
  const { [language]: _, ...others } = text;
  return written === '' ? others : { ...others, [language]: written };
}

type Label = keyof typeof formsTexts.labels;
const english = (label: Label, { languages }: FormContent): Text =>
  languages.includes('en') ? { en: formsTexts.labels[label] } : {};

interface Question extends Partial<Omit<AskItem, 'label'>> {
  readonly label?: Label;
}

function newQuestion(content: FormContent, { label, ...given }: Question): AskItem {
  return {
    type: 'ask',
    id: newId('question'),
    kind: 'text',
    required: true,
    per: 'guest',
    ...given,
    label: label === undefined ? {} : english(label, content),
  };
}

const named = (
  property: Property & Label,
  kind: AskItem['kind'],
  per: AskItem['per'] = 'guest',
): Question => ({ id: property, property, kind, per, label: property });

const questions: Readonly<Record<string, readonly Question[]>> = {
  question: [{}],
  name: [named('name', 'text')],
  dateOfBirth: [named('dateOfBirth', 'date')],
  email: [named('email', 'email', 'signer')],
  phoneNumber: [named('phoneNumber', 'phone', 'signer')],
  emergency: [named('emergencyName', 'text', 'signer'), named('emergencyPhone', 'phone', 'signer')],
  address: [
    { id: 'street', label: 'street', per: 'signer' },
    { id: 'city', label: 'city', per: 'signer' },
    { id: 'country', kind: 'country', label: 'country', per: 'signer' },
  ],
};

/** A set of items that can be added to a page. */
export type Block = keyof typeof formsTexts.blocks;

export function itemsOf(block: Block, content: FormContent): readonly Item[] {
  switch (block) {
    case 'text':
      return [{ type: 'text', id: newId('text'), text: {} }];
    case 'agree': {
      const act: ConsentAct = 'terms';
      return [{ type: 'agree', id: newId('consent'), act, text: {}, required: true }];
    }
    case 'sign':
      return [
        { type: 'sign', id: newId('signature'), by: 'guest', statement: {}, methods: ['draw', 'type'] },
      ];
    default:
      return (questions[block] ?? []).map((question) => newQuestion(content, question));
  }
}

export const newPage = (): Page => ({ id: newId('page'), title: {}, items: [] });
export const newOption = (): Option => ({ id: newId('answer'), label: {} });

export const emptyContent = (): FormContent => ({
  languages: ['en'],
  activities: [],
  validity: { visit: true },
  reuse: 'version',
  people: { adults: true, minors: 'no', majority: 18, maxMinors: 0 },
  pages: [newPage()],
});

/** The list with one entry moved; unchanged if either place does not exist. */
export function moved<Entry>(entries: readonly Entry[], from: number, by: number): readonly Entry[] {
  const entry = entries[from];
  const to = from + by;
  if (entry === undefined || to < 0 || to >= entries.length) return entries;
  return entries.toSpliced(from, 1).toSpliced(to, 0, entry);
}

const replacePage = (content: FormContent, index: number, page: Page): FormContent => ({
  ...content,
  pages: content.pages.with(index, page),
});

/** Moves an item up or down, from the edge of its page to the adjacent page. */
export function moveItem(content: FormContent, pageIndex: number, index: number, by: 1 | -1): FormContent {
  const page = content.pages[pageIndex];
  const item = page?.items[index];
  if (page === undefined || item === undefined) return content;
  if (page.items[index + by] !== undefined)
    return replacePage(content, pageIndex, { ...page, items: moved(page.items, index, by) });
  const beside = content.pages[pageIndex + by];
  if (beside === undefined) return content;
  const without = replacePage(content, pageIndex, { ...page, items: page.items.toSpliced(index, 1) });
  const items = by === 1 ? [item, ...beside.items] : [...beside.items, item];
  return replacePage(without, pageIndex + by, { ...beside, items });
}

function itemWithTexts(item: Item, change: (text: Text) => Text): Item {
  if (item.type === 'text' || item.type === 'agree') return { ...item, text: change(item.text) };
  if (item.type === 'sign') return { ...item, statement: change(item.statement) };
  const { label, help, options } = item;
  return {
    ...item,
    label: change(label),
    help: help && change(help),
    options: options?.map((option) => ({ ...option, label: change(option.label) })),
  };
}

export function withoutLanguage(content: FormContent, language: string): FormContent {
  const change = (text: Text) => withText(text, language, '');
  return {
    ...content,
    languages: content.languages.filter((one) => one !== language),
    binding: content.binding === language ? undefined : content.binding,
    pages: content.pages.map((page) => ({
      ...page,
      title: change(page.title),
      items: page.items.map((item) => itemWithTexts(item, change)),
    })),
  };
}

function whenRenamed(when: When | undefined, from: string, to: string): When | undefined {
  if (when === undefined) return undefined;
  const each = (parts: readonly When[]) => parts.map((part) => whenRenamed(part, from, to) ?? part);
  if ('all' in when) return { all: each(when.all) };
  if ('any' in when) return { any: each(when.any) };
  if ('not' in when) return { not: whenRenamed(when.not, from, to) ?? when.not };
  return 'answer' in when && when.answer === from ? { ...when, answer: to } : when;
}

/** Changes an item's id, also in the conditions that refer to it. */
export const renameItem = (content: FormContent, from: string, to: string): FormContent => ({
  ...content,
  pages: content.pages.map((page) => ({
    ...page,
    when: whenRenamed(page.when, from, to),
    items: page.items.map((item) => ({
      ...item,
      id: item.id === from ? to : item.id,
      when: whenRenamed(item.when, from, to),
    })),
  })),
});

/** Changes a question's kind, and removes the fields that depend on it. */
export function withKind(item: AskItem, kind: AskItem['kind']): AskItem {
  const { options, min: _min, max: _max, flag: _flag, property: _property, ...kept } = item;
  const hasOptions = kind === 'choice' || kind === 'choices';
  return { ...kept, kind, ...(hasOptions ? { options: options ?? [newOption(), newOption()] } : {}) };
}

const maxTitle = 80;

/** An item's title in lists: the start of its text in the first language that has one. */
export function titleOf(item: Item, languages: readonly string[]): string {
  const text = item.type === 'ask' ? item.label : item.type === 'sign' ? item.statement : item.text;
  const written = languages.map((language) => text[language]).find((one) => one !== undefined) ?? '';
  const line = written.split('\n')[0]?.replace(/^#+\s*|\*\*/g, '') ?? '';
  return line.length > maxTitle ? `${line.slice(0, maxTitle - 1)}…` : line;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) =>
  isFields(value) && Object.values(value).every((written) => typeof written === 'string');
const isListOf = (value: unknown, isEntry: (entry: unknown) => boolean) =>
  Array.isArray(value) && value.every(isEntry);
const isString = (value: unknown) => typeof value === 'string';
const isAbsentOr = (value: unknown, is: (value: unknown) => boolean) => value === undefined || is(value);

function isWhen(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { answer, in: ids, ageBelow, activity, all, any, not } = value;
  if (answer !== undefined) return isString(answer) && isListOf(ids, isString);
  if (ageBelow !== undefined) return typeof ageBelow === 'number';
  if (activity !== undefined) return isListOf(activity, isString);
  if (all !== undefined || any !== undefined) return isListOf(all ?? any, isWhen);
  return isWhen(not);
}

const isOption = (value: unknown) => isFields(value) && isString(value.id) && isText(value.label);
const isFlag = (value: unknown) => isFields(value) && isListOf(value.on, isString) && isString(value.label);

function isItem(value: unknown): boolean {
  if (!isFields(value) || !isString(value.id) || !isAbsentOr(value.when, isWhen)) return false;
  switch (value.type) {
    case 'text':
    case 'agree':
      return isText(value.text);
    case 'sign':
      return isText(value.statement) && isListOf(value.methods, isString);
    case 'ask':
      return (
        isText(value.label) &&
        isAbsentOr(value.help, isText) &&
        isAbsentOr(value.options, (options) => isListOf(options, isOption)) &&
        isAbsentOr(value.flag, isFlag)
      );
    default:
      return false;
  }
}

const isPage = (value: unknown) =>
  isFields(value) &&
  isString(value.id) &&
  isText(value.title) &&
  isAbsentOr(value.when, isWhen) &&
  isListOf(value.items, isItem);

/**
 * Whether this editor can show a draft. The API stores any draft, and the host validates it; this checks only as much
 * as the editor needs.
 */
export const isEditable = (content: unknown): content is FormContent =>
  isFields(content) &&
  isListOf(content.languages, isString) &&
  isListOf(content.activities, isString) &&
  isFields(content.validity) &&
  isFields(content.people) &&
  isAbsentOr(content.guardian, isFields) &&
  isListOf(content.pages, isPage);
