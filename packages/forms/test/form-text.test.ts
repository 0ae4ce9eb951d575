import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formText, parseFormText } from '../src/index.ts';

const plain = (text: string) => [{ text, bold: false }];

describe('a text in a language', () => {
  test('is the one of the language, else the first', () => {
    expect(formText({ en: 'Hello', de: 'Hallo' }, 'de')).toBe('Hallo');
    expect(formText({ en: 'Hello', de: 'Hallo' }, 'fr')).toBe('Hello');
    expect(formText({ en: 'Hello' }, 'constructor')).toBe('Hello');
    expect(formText({}, 'en')).toBe('');
  });
});

describe('a text is read', () => {
  test('as headings of two levels', () => {
    expect(parseFormText('# One\n## Two\n### Three')).toEqual([
      { type: 'heading', level: 1, spans: plain('One') },
      { type: 'heading', level: 2, spans: plain('Two') },
      { type: 'paragraph', spans: plain('### Three') },
    ]);
  });

  test('as paragraphs, with their line breaks', () => {
    expect(parseFormText('\n\none\r\n  two  \n \nthree\rfour')).toEqual([
      { type: 'paragraph', spans: plain('one\ntwo') },
      { type: 'paragraph', spans: plain('three\nfour') },
    ]);
  });

  test('as lists of points', () => {
    expect(parseFormText('Bring:\n- shoes\n* a towel\n• water\nThank you')).toEqual([
      { type: 'paragraph', spans: plain('Bring:') },
      { type: 'list', start: null, items: [plain('shoes'), plain('a towel'), plain('water')] },
      { type: 'paragraph', spans: plain('Thank you') },
    ]);
  });

  test('as numbered lists, with the numbers that were written', () => {
    expect(parseFormText('3. three\n4) four\n7. seven\n8. eight\n- point\n1. one')).toEqual([
      { type: 'list', start: 3, items: [plain('three'), plain('four')] },
      { type: 'list', start: 7, items: [plain('seven'), plain('eight')] },
      { type: 'list', start: null, items: [plain('point')] },
      { type: 'list', start: 1, items: [plain('one')] },
    ]);
  });

  test('as lists whose numbers have several digits, with any space after them', () => {
    expect(parseFormText('12.  twelve\n13. thirteen')).toEqual([
      { type: 'list', start: 12, items: [plain('twelve'), plain('thirteen')] },
    ]);
  });

  test('with blank lines and headings between lists', () => {
    expect(parseFormText('- a\n\n- b\n# H\n- c')).toEqual([
      { type: 'list', start: null, items: [plain('a')] },
      { type: 'list', start: null, items: [plain('b')] },
      { type: 'heading', level: 1, spans: plain('H') },
      { type: 'list', start: null, items: [plain('c')] },
    ]);
  });

  test('with bold parts, in all of them', () => {
    expect(parseFormText('**Do** not **run**')).toEqual([
      {
        type: 'paragraph',
        spans: [
          { text: 'Do', bold: true },
          { text: ' not ', bold: false },
          { text: 'run', bold: true },
        ],
      },
    ]);
    expect(parseFormText('# **H**\n- **i**')).toEqual([
      { type: 'heading', level: 1, spans: [{ text: 'H', bold: true }] },
      { type: 'list', start: null, items: [[{ text: 'i', bold: true }]] },
    ]);
  });

  test('as it is where it is no markup', () => {
    for (const text of [
      '#no',
      '-no',
      '1.no',
      '1234. no',
      '**',
      '**a',
      'a ** b',
      '#',
      '-',
      '<b>no</b>',
      '2026. ',
    ]) {
      expect(parseFormText(text)).toEqual([{ type: 'paragraph', spans: plain(text.trim()) }]);
    }
  });

  test('without losing a word', () => {
    const words = (text: string) => text.match(/\p{L}+/gu) ?? [];
    const piece = fc.constantFrom(
      '#',
      '##',
      '-',
      '1.',
      '2)',
      '**',
      '\n',
      '\n\n',
      ' ',
      'word',
      'Wörter',
      '<b>',
      '>',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const blocks = parseFormText(text);
        const read = blocks
          .flatMap((block) => (block.type === 'list' ? block.items.flat() : block.spans))
          .map((span) => span.text)
          .join('');
        expect(words(read).join('')).toBe(words(text).join(''));
      }),
    );
  });

  test('in time that grows with its length only', () => {
    // With backtracking this would take minutes.
    expect(parseFormText(`${'**'.repeat(10_000)}x`).length).toBeGreaterThan(0);
    expect(parseFormText('1. '.repeat(7_000)).length).toBeGreaterThan(0);
  });
});
