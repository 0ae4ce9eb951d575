import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../http/escape-html.ts';

/** A page that says why a sign-in failed. The texts are plain. */
export interface SignInPage {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
}

// Like the console's own page to sign in, whose styles it cannot use: their names change with each build.
const style = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 1rem; box-sizing: border-box; min-height: 100vh; display: grid; place-items: center;
  font: 14px/1.5 system-ui, sans-serif; color: light-dark(#16191b, #eceff0); background: light-dark(#f7f9f9, #0f1213); }
main { box-sizing: border-box; width: min(23rem, 100%); padding: 1.75rem; border-radius: 12px;
  border: 1px solid light-dark(#e1e5e7, #2a3135); background: light-dark(#ffffff, #15191b); }
h1 { margin: 0 0 .75rem; font-size: 1.25rem; }
p { margin: 0; overflow-wrap: anywhere; }
p + p { margin-top: 1rem; }
a { color: light-dark(#0f766e, #4fd1c1); }
`;

const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const htmlOf = ({ title, sentence }: SignInPage) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(sentence)}</p><p><a href="/console/">Back to the sign-in page</a></p></main></body>
</html>
`;

/** Responds with a page of text, without scripts and forms. */
export const sendSignInPage = (reply: FastifyReply, page: SignInPage) =>
  reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': pagePolicy, 'cross-origin-opener-policy': 'same-origin' })
    .send(htmlOf(page));
