import { exampleForms } from '@waiver-service/forms/examples';
import { renderUnicodeCompact } from 'uqr';
import { z } from 'zod';
import { showDetail, showHeading, showStep } from './screen.ts';
import { bookingId, type Cast, pool } from './story.ts';
import { anything } from './waiver-service-client.ts';

const formsSchema = z.looseObject({
  items: z.array(z.looseObject({ id: z.string(), published: z.int().nullable() })),
});
const formSchema = z.looseObject({ id: z.string() });
const linkSchema = z.looseObject({ url: z.url() });

/** Publishes a form, once for all runs of the demo. */
async function publishForm({ operator }: Pick<Cast, 'operator'>): Promise<void> {
  const forms = `/v1/admin/pools/${pool}/forms`;
  const { body } = await operator.call('GET', forms, formsSchema);
  if (body.items.some(({ published }) => published !== null)) return;
  const [example] = exampleForms;
  if (example === undefined) throw new Error('there is no example form');
  const { body: form } = await operator.call('POST', forms, formSchema, { name: example.name });
  await operator.call('PUT', `${forms}/${form.id}/draft`, anything, example.content);
  await operator.call('POST', `${forms}/${form.id}/publish`, anything);
}

/** Publishes a form and makes the booking's link for guests to sign. @returns the link */
export async function makeCheckInLink({ operator }: Pick<Cast, 'operator'>): Promise<string> {
  await publishForm({ operator });
  const links = `/v1/pools/${pool}/check-in-links`;
  const { body } = await operator.call('POST', links, linkSchema, { bookingId });
  return body.url;
}

/** Shows where a person can sign. */
export function showCheckInLink(url: string): void {
  showHeading('Sign yourself');
  showStep(`The guests of booking ${bookingId} sign here, and the console shows the Guest Update`);
  showDetail(url, ...renderUnicodeCompact(url).split('\n'));
}
