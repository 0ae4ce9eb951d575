import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes plain text for HTML. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** A small page without scripts: a heading and its content, on a card. */
export interface CardPage {
  readonly status: number;
  /** BCP 47; English if omitted. */
  readonly language?: string;
  readonly direction?: 'ltr' | 'rtl';
  readonly title: string;
  /** HTML below the heading. */
  readonly body: string;
  /** Whether the page may send a form to its own address. */
  readonly hasForm?: boolean;
}

// Styled like the console's sign-in page, whose stylesheet it cannot use: its name changes with each build.
const style = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 1rem; box-sizing: border-box; min-height: 100vh; display: grid; place-items: center;
  font: 16px/1.5 system-ui, sans-serif; color: light-dark(#16191b, #eceff0); background: light-dark(#f7f9f9, #0f1213); }
main { box-sizing: border-box; width: min(26rem, 100%); padding: 1.75rem; border-radius: 12px;
  border: 1px solid light-dark(#e1e5e7, #2a3135); background: light-dark(#ffffff, #15191b); }
h1 { margin: 0 0 .75rem; font-size: 1.25rem; }
p { margin: 0; overflow-wrap: anywhere; }
p + p, form { margin-top: 1rem; }
a { color: light-dark(#0f766e, #4fd1c1); }
button { min-height: 44px; padding: 0 1.25rem; border: 0; border-radius: 8px; font: inherit; font-weight: 600; cursor: pointer;
  color: #ffffff; background: #0f766e; }
button:focus-visible { outline: 3px solid light-dark(#0f766e, #4fd1c1); outline-offset: 2px; }
`;

const styleHash = hash('sha256', style, 'base64');

/** Responds with a card page. */
export function sendCardPage(reply: FastifyReply, page: CardPage): FastifyReply {
  const { status, language = 'en', direction = 'ltr', body, hasForm = false } = page;
  const title = escapeHtml(page.title);
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    `form-action '${hasForm ? 'self' : 'none'}'`,
    "frame-ancestors 'none'",
  ].join('; ');
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .send(`<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${style}</style></head>
<body><main><h1>${title}</h1>${body}</main></body>
</html>
`);
}
