import { type FormContent, formContentSchema, type PublishedForm } from '@waiver-service/forms';
import type { Forms, FormVersion } from '@waiver-service/store';

// A published version never changes, and its schema takes longer than the rest of a signing.
const contents = new Map<string, FormContent>();
const maxContents = 1_000;

function contentOf({ form, version, content }: FormVersion): FormContent {
  const key = `${form} ${version}`;
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
