import type { FastifyReply } from 'fastify';
import { sendCardPage } from '../http/card-page.ts';
import { escapeHtml } from '../http/escape-html.ts';

/** A page that says why a sign-in failed. The texts are plain. */
export interface SignInPage {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
}

/** Responds with a page of text, without scripts and forms. */
export const sendSignInPage = (reply: FastifyReply, { status, title, sentence }: SignInPage) =>
  sendCardPage(reply.header('cross-origin-opener-policy', 'same-origin'), {
    status,
    title,
    body: `<p>${escapeHtml(sentence)}</p><p><a href="/console/">Back to the sign-in page</a></p>`,
  });
