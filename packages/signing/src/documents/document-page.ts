import { hash } from 'node:crypto';
import type { FormTextBlock, FormTextSpan } from '@waiver-service/forms';
import { escapeHtml } from '@waiver-service/http';

/** A piece of a document, as page and PDF both draw it. Texts are plain. */
export type DocumentBlock =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'text'; readonly block: FormTextBlock }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly { readonly label: string; readonly value: string }[] }
  | {
      readonly kind: 'drawing';
      readonly label: string;
      readonly strokes: readonly (readonly (readonly [x: number, y: number, ms: number])[])[];
      readonly width: number;
      readonly height: number;
    }
  | { readonly kind: 'written'; readonly label: string; readonly text: string }
  | {
      readonly kind: 'photo';
      readonly label: string;
      readonly type: 'image/jpeg' | 'image/png';
      /** Base64. */
      readonly data: string;
    };

export interface SigningDocument {
  readonly title: string;
  /** BCP 47. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** When the signing was received. */
  readonly createdAt: Date;
  readonly blocks: readonly DocumentBlock[];
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 46rem; font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2rem; font-size: 1.25rem; } h3 { font-size: 1.05rem; }
p, dd, dt, li, figcaption { overflow-wrap: anywhere; white-space: pre-line; }
dl { display: grid; grid-template-columns: minmax(8rem, 1fr) 2fr; gap: .25rem 1rem; }
dt, figcaption { color: GrayText; } dd { margin: 0; }
figure { margin: 1rem 0; } figure svg, figure img { max-width: 20rem; width: 100%; height: auto; }
figure svg { border-bottom: 1px solid; } .written { font: italic 1.5rem/1.4 Georgia, serif; border-bottom: 1px solid; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } }
@media print { body { max-width: none; padding: 0; } figure { break-inside: avoid; }
  h1, h2, h3 { break-after: avoid; } p, dd, li { orphans: 2; widows: 2; } }
`;

/** Allows the style of the page in a Content-Security-Policy. */
export const documentStyleSource = `'sha256-${hash('sha256', style, 'base64')}'`;

/** The Content-Security-Policy that the page needs: nothing but its own style and images in it. */
export const documentPagePolicy = [
  "default-src 'none'",
  `style-src ${documentStyleSource}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const spansHtml = (spans: readonly FormTextSpan[]) =>
  spans.map(({ text, bold }) => (bold ? `<strong>${escapeHtml(text)}</strong>` : escapeHtml(text))).join('');

/** An SVG path of lines; a single point is a dot. */
export const strokePath = (stroke: readonly (readonly [number, number, number])[]) =>
  stroke.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('') +
  (stroke.length === 1 ? 'h0.1' : '');

function textHtml({ block }: Extract<DocumentBlock, { kind: 'text' }>): string {
  if (block.type === 'heading') return `<h3>${spansHtml(block.spans)}</h3>`;
  if (block.type === 'paragraph') return `<p>${spansHtml(block.spans)}</p>`;
  const items = block.items.map((spans) => `<li>${spansHtml(spans)}</li>`).join('');
  return block.start === null ? `<ul>${items}</ul>` : `<ol start="${block.start}">${items}</ol>`;
}

function blockHtml(block: DocumentBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${escapeHtml(block.text)}</h${block.level}>`;
    case 'text':
      return textHtml(block);
    case 'note':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'facts':
      return `<dl>${block.facts
        .map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd dir="auto">${escapeHtml(value)}</dd>`)
        .join('')}</dl>`;
    case 'written':
      return `<figure><p class="written" dir="auto">${escapeHtml(block.text)}</p><figcaption>${escapeHtml(block.label)}</figcaption></figure>`;
    case 'drawing':
      return `<figure><svg role="img" aria-label="${escapeHtml(block.label)}" viewBox="0 0 ${block.width} ${block.height}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${block.strokes
        .map((stroke) => `<path d="${strokePath(stroke)}"/>`)
        .join('')}</svg><figcaption>${escapeHtml(block.label)}</figcaption></figure>`;
    case 'photo':
      return `<figure><img alt="${escapeHtml(block.label)}" src="data:${block.type};base64,${escapeHtml(block.data)}"><figcaption>${escapeHtml(block.label)}</figcaption></figure>`;
  }
}

/** The document as a page: without scripts, for {@link documentPagePolicy}. */
export function documentPage({ title, language, direction, blocks }: SigningDocument): string {
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style></head>
<body><main>
${blocks.map(blockHtml).join('\n')}
</main></body>
</html>
`;
}
