import { isSecretName } from './secrets.ts';

// Not secret: they describe the kind of token request.
const openNames = new Set([
  'grant_type',
  'response_type',
  'token_type',
  'scope',
  'audience',
  'resource',
  'redirect_uri',
]);

// In a successful response, a shorter text may be a type or a name.
const minTokenLength = 20;
const tokenLike = /[\w.~+/-]+=*/g;

interface Leaf {
  readonly name: string;
  readonly text: string;
}

/** The strings in a JSON value, with their field names. */
function leavesOf(value: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  // Not recursive: the sender decides how deeply the body is nested.
  const left: { readonly name: string; readonly value: unknown }[] = [{ name: '', value }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { name, value: inner } = next;
    if (typeof inner === 'string') leaves.push({ name, text: inner });
    else if (typeof inner === 'object' && inner !== null) {
      for (const [key, nested] of Object.entries(inner)) {
        left.push({ name: Array.isArray(inner) ? name : key, value: nested });
      }
    }
  }
  return leaves;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Numbered, because names may repeat.
const byNumber = (texts: readonly string[]): Record<string, string> =>
  Object.fromEntries(texts.map((text, number) => [`secret ${number}`, text]));

const namedTexts = (form: string): Leaf[] =>
  [...new URLSearchParams(form)].map(([name, text]) => ({ name, text }));

/** The secrets in a token request's body, as JSON or a form: everything except the fields in `openNames`. */
export function secretsOfTokenRequest(body: string): Record<string, string> {
  const json = jsonOf(body);
  const leaves = json === undefined ? namedTexts(body) : leavesOf(json);
  return byNumber(leaves.filter(({ name }) => !openNames.has(name)).map(({ text }) => text));
}

/**
 * The secrets in the response to a token request: values whose name usually means a secret and, in a successful
 * response, all those long enough to be a token.
 */
export function secretsOfTokenAnswer(isSuccess: boolean, body: string): Record<string, string> {
  const json = jsonOf(body);
  const words = () => (body.match(tokenLike) ?? []).map((text) => ({ name: '', text }));
  const leaves = json === undefined ? [...namedTexts(body), ...words()] : leavesOf(json);
  const isSecret = ({ name, text }: Leaf) =>
    isSecretName(name) || (isSuccess && text.length >= minTokenLength && !URL.canParse(text));
  return byNumber(leaves.filter(isSecret).map(({ text }) => text));
}
