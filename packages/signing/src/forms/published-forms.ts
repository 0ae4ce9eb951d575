import { type FormContent, formContentSchema, type PublishedForm } from '@waiver-service/forms';
import type { FormSummary, Forms, FormVersion } from '../data/forms.ts';

// Cached: a published version never changes, and parsing it takes longer than the rest of a signing.
const contents = new Map<string, FormContent>();
const maxContents = 1_000;

const keyOf = (form: string, version: number) => `${form} ${version}`;

function contentOf({ form, version, content }: FormVersion): FormContent {
  const key = keyOf(form, version);
  const known = contents.get(key);
  if (known !== undefined) return known;
  if (contents.size >= maxContents) contents.clear();
  const parsed = formContentSchema.parse(JSON.parse(content));
  contents.set(key, parsed);
  return parsed;
}

/** A published form, with its name. */
export interface NamedForm extends PublishedForm {
  readonly name: string;
}

/** A stored version as guests get it. It was valid when it was published. */
export const publishedForm = (stored: FormVersion): NamedForm => ({
  form: stored.form,
  name: stored.formName,
  version: stored.version,
  hash: stored.hash,
  content: contentOf(stored),
});

/** The newest versions of a pool's forms, the oldest form first. */
export async function publishedForms(forms: Pick<Forms, 'published'>, pool: string): Promise<NamedForm[]> {
  return (await forms.published(pool)).map(publishedForm);
}

/** The contents of all versions of a form, oldest first. */
export async function publishedContents(
  forms: Pick<Forms, 'version'>,
  pool: string,
  { id, published }: Pick<FormSummary, 'id' | 'published'>,
): Promise<FormContent[]> {
  const found: FormContent[] = [];
  for (let version = 1; version <= (published ?? 0); version += 1) {
    const known = contents.get(keyOf(id, version));
    const stored = known === undefined ? await forms.version(pool, id, version) : undefined;
    const content = known ?? (stored && contentOf(stored));
    if (content !== undefined) found.push(content);
  }
  return found;
}

/** Whether a form is for some activities. */
const isFor = ({ content }: PublishedForm, activities: readonly string[]) =>
  content.activities.some((activity) => activities.includes(activity));

/**
 * The form that guests of some activities sign: the oldest that names one of them, else the oldest for all.
 * @param forms the published forms of a pool, the oldest first
 */
export function chooseForm<Form extends PublishedForm>(
  forms: readonly Form[],
  activities: readonly string[],
): Form | undefined {
  return (
    forms.find((form) => isFor(form, activities)) ??
    forms.find(({ content }) => content.activities.length === 0)
  );
}
