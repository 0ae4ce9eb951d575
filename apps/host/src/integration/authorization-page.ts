import { escapeHtml } from '../http/escape-html.ts';

/** The texts of a page. Both are plain. */
export interface PageText {
  readonly title: string;
  readonly sentence: string;
}

/** The policy of a page that has nothing but text. */
export const pagePolicy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** A page of text, without styles, scripts or links. */
export const pageOf = ({ title, sentence }: PageText): string =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body><h1>${escapeHtml(title)}</h1><p>${escapeHtml(sentence)}</p></body>
</html>
`;
