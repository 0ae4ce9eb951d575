import { asWords, directionOf, type MailLanguage, shortened } from '@waiver-service/alerts';
import { escapeHtml } from '@waiver-service/http';
import type { PoolTexts } from './settings.ts';
import { wordsOf } from './texts/languages.ts';

/** The parts of a message to a guest. */
export interface MailParts {
  readonly language: MailLanguage;
  /** Undefined: the default ones. */
  readonly texts: PoolTexts | undefined;
  readonly name: string | undefined;
  readonly activities: readonly string[];
  readonly startsAt: Date;
  readonly timeZone: string;
  readonly operator: string;
  readonly link: string;
  /** Whether the link is for the whole booking. */
  readonly isGroup: boolean;
  readonly unsubscribeUrl: string;
}

/** A message as it is sent. */
export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

// Booking systems and guests provide some of these values.
const maxValueLength = 120;

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

type Values = Readonly<Record<string, string>>;

const filled = (template: string, values: Values): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );

function valuesOf({
  language,
  name,
  activities,
  startsAt,
  timeZone,
  operator,
}: Omit<MailParts, 'link' | 'unsubscribeUrl'>): Values {
  const { noName, noActivity } = wordsOf(language);
  const of = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone, ...options }).format(startsAt);
  return {
    name: asWords(name ?? '', maxValueLength) || noName,
    activity: asWords([...new Set(activities)].join(', '), maxValueLength) || noActivity,
    date: of({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    time: of({ hour: 'numeric', minute: '2-digit' }),
    operator: shortened(oneLine(operator.toWellFormed()), maxValueLength),
  };
}

const style = {
  body: "margin:0;padding:24px 12px;background:#f4f5f5;color:#1c2022;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif",
  box: 'max-width:560px;margin:0 auto;padding:24px;background:#ffffff;color:#1c2022;border-radius:12px',
  button:
    'display:inline-block;padding:12px 20px;background:#0f766e;color:#ffffff;border-radius:8px;font-weight:600;text-decoration:none',
  foot: 'max-width:560px;margin:16px auto 0;padding:0 24px;color:#5b6467;font-size:13px',
};

const dark = `
@media (prefers-color-scheme: dark) {
  body { background: #0f1213 !important; color: #eceff0 !important; }
  .box { background: #1a1f21 !important; color: #eceff0 !important; }
  .foot, .foot a { color: #a3acb0 !important; }
}`;

/** The paragraphs of a text as HTML; a link by itself becomes a button. */
function paragraphsOf(
  text: string,
  values: Values,
  { link, button: label }: { link: string; button: string },
): string {
  const href = escapeHtml(link);
  const anchor = `<a href="${href}">${href}</a>`;
  const button = `<a href="${href}" style="${style.button}">${escapeHtml(label)}</a>`;
  return text
    .split(/\n[ \t]*\n+/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => {
      if (paragraph === '{link}') return `<p>${button}</p>`;
      const parts = paragraph.split('{link}').map((part) => escapeHtml(filled(part, values)));
      return `<p>${parts.join(anchor).replaceAll('\n', '<br>')}</p>`;
    })
    .join('\n');
}

/** A message as HTML, around its paragraphs. It loads no external content. */
const mailHtml = ({
  language,
  subject,
  content,
  because,
  unsubscribeUrl,
}: Pick<MailParts, 'language' | 'unsubscribeUrl'> & {
  readonly subject: string;
  readonly content: string;
  readonly because: string;
}): string => `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title><style>${dark}</style></head>
<body style="${style.body}">
<div class="box" style="${style.box}">
${content}
</div>
<div class="foot" style="${style.foot}"><p>${escapeHtml(because)}<br><a href="${escapeHtml(unsubscribeUrl)}" style="color:inherit">${escapeHtml(wordsOf(language).unsubscribe)}</a></p></div>
</body>
</html>
`;

/** Composes a message that asks guests to sign: plain text, and the same as HTML. */
export function composeMail(parts: MailParts): ComposedMail {
  const { language, texts, link, isGroup, unsubscribeUrl } = parts;
  const words = wordsOf(language);
  const values = valuesOf(parts);
  const text = (texts?.text ?? words.text).replaceAll('\r\n', '\n');
  const because = filled(words.because, values);
  const group = isGroup ? [words.group] : [];
  const plain = [
    filled(text, { ...values, link }),
    ...group,
    `${because}\n${words.unsubscribe}: ${unsubscribeUrl}`,
  ];
  const subject = oneLine(filled(texts?.subject ?? words.subject, values));
  const html = mailHtml({
    ...{ language, subject, because, unsubscribeUrl },
    content: `${paragraphsOf(text, values, { link, button: words.sign })}
${group.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('')}`,
  });
  return { subject, text: `${plain.join('\n\n')}\n`, html };
}

/** Composes the message with the link to a copy. */
export function composeCopyMail({
  language,
  operator,
  link,
  unsubscribeUrl,
}: Pick<MailParts, 'language' | 'operator' | 'link' | 'unsubscribeUrl'>): ComposedMail {
  const { copy, unsubscribe } = wordsOf(language);
  const values = { operator: shortened(oneLine(operator.toWellFormed()), maxValueLength) };
  const because = filled(copy.because, values);
  const subject = oneLine(filled(copy.subject, values));
  const html = mailHtml({
    ...{ language, subject, because, unsubscribeUrl },
    content: paragraphsOf(copy.text, values, { link, button: copy.open }),
  });
  const text = `${filled(copy.text, { ...values, link })}\n\n${because}\n${unsubscribe}: ${unsubscribeUrl}\n`;
  return { subject, text, html };
}
