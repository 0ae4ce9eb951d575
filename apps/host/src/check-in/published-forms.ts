import { formContentSchema, type PublishedForm } from '@waiver-service/forms';
import type { Forms, FormVersion } from '@waiver-service/store';

/** A stored version as guests get it. It was valid when it was published. */
export const publishedForm = ({ form, version, hash, content }: FormVersion): PublishedForm => ({
  form,
  version,
  hash,
  content: formContentSchema.parse(JSON.parse(content)),
});

/** The newest versions of a pool's forms, the oldest form first. */
export async function publishedForms(
  forms: Pick<Forms, 'published'>,
  pool: string,
): Promise<PublishedForm[]> {
  return (await forms.published(pool)).map(publishedForm);
}
