import type { Text } from './content.ts';

/** A piece of a line; line breaks within a paragraph are `\n`. */
export interface FormTextSpan {
  readonly text: string;
  readonly bold: boolean;
}

/** A part of a text. `start`: the number of an ordered list's first item. */
export type FormTextBlock =
  | { readonly type: 'heading'; readonly level: 1 | 2; readonly spans: readonly FormTextSpan[] }
  | { readonly type: 'paragraph'; readonly spans: readonly FormTextSpan[] }
  | {
      readonly type: 'list';
      readonly start: number | null;
      readonly items: readonly (readonly FormTextSpan[])[];
    };

type Line =
  | { readonly type: 'heading'; readonly level: 1 | 2; readonly text: string }
  | { readonly type: 'item'; readonly number: number | null; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'blank' };

function readLine(line: string): Line {
  const text = line.trim();
  if (text === '') return { type: 'blank' };
  const [, marker, rest = ''] = /^(##?|[-*•]|\d{1,3}[.)])\s+(.+)$/.exec(text) ?? [];
  if (marker === undefined) return { type: 'text', text };
  if (marker.startsWith('#')) return { type: 'heading', level: marker === '#' ? 1 : 2, text: rest };
  const number = Number.parseInt(marker, 10);
  return { type: 'item', number: Number.isNaN(number) ? null : number, text: rest };
}

/** Splits a text at its bold parts, `**like this**`. Unpaired asterisks are kept. */
function spansOf(text: string): FormTextSpan[] {
  return text
    .split(/\*\*([^*]+)\*\*/)
    .map((part, index) => ({ text: part, bold: index % 2 === 1 }))
    .filter((span) => span.text !== '');
}

/**
 * Parses a form's text into headings (`#`, `##`), lists (`-`, `1.`), bold (`**like this**`) and paragraphs, separated
 * by blank lines. Everything else is plain text: there are no HTML and no links. A list keeps its first number.
 */
export function parseFormText(text: string): FormTextBlock[] {
  const blocks: FormTextBlock[] = [];
  let paragraph: string[] = [];
  let list: { start: number | null; items: FormTextSpan[][] } | undefined;
  const endBlock = () => {
    if (paragraph.length > 0) blocks.push({ type: 'paragraph', spans: spansOf(paragraph.join('\n')) });
    if (list !== undefined) blocks.push({ type: 'list', ...list });
    paragraph = [];
    list = undefined;
  };
  for (const line of text.split(/\r\n?|\n/).map(readLine)) {
    if (line.type === 'text') {
      if (list !== undefined) endBlock();
      paragraph.push(line.text);
    } else if (line.type === 'item') {
      const next: number | null = list?.start == null ? null : list.start + list.items.length;
      if (list === undefined || line.number !== next) {
        endBlock();
        list = { start: line.number, items: [] };
      }
      list.items.push(spansOf(line.text));
    } else {
      endBlock();
      if (line.type === 'heading')
        blocks.push({ type: 'heading', level: line.level, spans: spansOf(line.text) });
    }
  }
  endBlock();
  return blocks;
}

/** A text in a language, or in the first language that it has if that one is missing. */
export function formText(text: Text, language: string): string {
  return (Object.hasOwn(text, language) ? text[language] : Object.values(text)[0]) ?? '';
}
