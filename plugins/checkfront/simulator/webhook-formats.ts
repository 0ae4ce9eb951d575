/** The formats that an owner can choose for Checkfront's webhooks. */
export type CheckfrontWebhookFormat = 'json' | 'form' | 'xml';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function formFields(value: unknown, name: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    formFields(inner, name === '' ? key : `${name}[${key}]`),
  );
}

const escapeXml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

function element(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => element(name, one)).join('');
  const { '@attributes': attributes = {}, ...fields } = isFields(value) ? value : {};
  const written = isFields(attributes) ? Object.entries(attributes) : [];
  const start = [name, ...written.map(([key, text]) => `${key}="${escapeXml(String(text))}"`)].join(' ');
  const inner = isFields(value)
    ? Object.entries(fields).map(([key, one]) => element(key, one))
    : [escapeXml(String(value))];
  return `<${start}>${inner.join('')}</${name}>`;
}

/** Formats a webhook's body. */
export function formatWebhook(
  body: Fields,
  format: CheckfrontWebhookFormat,
): { readonly contentType: string; readonly text: string } {
  if (format === 'json') return { contentType: 'application/json', text: JSON.stringify(body) };
  if (format === 'form') {
    const text = String(new URLSearchParams(formFields(body, '')));
    return { contentType: 'application/x-www-form-urlencoded', text };
  }
  const text = `<?xml version="1.0" encoding="utf-8"?>\n${element('checkfront-notify', body)}\n`;
  return { contentType: 'application/xml', text };
}
