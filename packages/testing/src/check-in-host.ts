import type { FormContent, Signing } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import { signed } from '@waiver-service/forms/testing';
import type { SimulatedBookingSystem } from '@waiver-service/simulator';
import { type HostCalls, startSystemFor, type TestCaller, textAt } from './host-calls.ts';

/** A host as the test has it. */
type CalledHost = HostCalls & { close(): Promise<void> };

/** A form that was published for a pool. */
export interface PublishedExample {
  readonly form: string;
  readonly version: number;
  readonly content: FormContent;
}

const rafting = exampleForms[0]?.content;

/** Publishes a form for a pool: the first example, unless another content is given. */
export async function publishForm(
  { admin }: Pick<CalledHost, 'admin'>,
  pool: string,
  content: FormContent | undefined = rafting,
  name = 'Waiver',
): Promise<PublishedExample> {
  if (content === undefined) throw new Error('there is no example form');
  const path = `/v1/admin/pools/${pool}/forms`;
  const form = textAt((await admin('POST', path, { name })).body, 'id');
  const draft = await admin('PUT', `${path}/${form}/draft`, content);
  const published = await admin('POST', `${path}/${form}/publish`);
  if (published.status !== 201) throw new Error(`not published: ${draft.text} ${published.text}`);
  return { form, version: published.body.version, content };
}

/** Makes a link for a pool's guests. @returns its token */
export async function makeLink(app: TestCaller, pool: string, place: object): Promise<string> {
  const { body } = await app('POST', `/v1/pools/${pool}/check-in-links`, place);
  return textAt(body, 'url').split('/').at(-1) ?? '';
}

/** A host whose pool `rafting` has a booking system, a published form and a caller that reads answers. */
export interface CheckInHost<Host extends CalledHost = CalledHost> {
  readonly host: Host;
  readonly system: SimulatedBookingSystem;
  readonly app: TestCaller;
  readonly form: PublishedExample;
  /** A caller by the token of a link. */
  guest(place: object): Promise<TestCaller>;
  /** A complete signing of the form, of people born on these days. */
  signing(
    born: readonly string[],
    change?: Partial<Signing> & { readonly bookingGuestIds?: readonly string[] },
  ): Signing;
  close(): Promise<void>;
}

/** Makes a host one where guests can sign. It needs the feature with which they do. */
export async function prepareCheckIn<Host extends CalledHost>(
  starting: Promise<Host>,
  content?: FormContent,
): Promise<CheckInHost<Host>> {
  const [host, system] = await Promise.all([starting, startSystemFor('standard')]);
  const app = await host.makePool('rafting', { timeZone: 'Europe/Berlin' });
  await host.connect('standard', system, 'rafting');
  const form = await publishForm(host, 'rafting', content);
  return {
    host,
    system,
    app,
    form,
    guest: async (place) => host.as(await makeLink(app, 'rafting', place)),
    signing(born, { bookingGuestIds = [], ...change } = {}) {
      const filled = signed(form.content, born);
      const guests = filled.guests.map((guest, index) => {
        const bookingGuestId = bookingGuestIds[index];
        return bookingGuestId === undefined ? guest : { ...guest, bookingGuestId };
      });
      return {
        ...filled,
        id: crypto.randomUUID(),
        form: form.form,
        version: form.version,
        guests,
        ...change,
      };
    },
    async close() {
      await host.close();
      await system.close();
    },
  };
}
