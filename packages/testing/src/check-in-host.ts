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

/** A host whose pool `rafting` has a booking system, and a waiver app. */
export interface InstalledHost<Host extends CalledHost = CalledHost> {
  readonly host: Host;
  readonly system: SimulatedBookingSystem;
  readonly app: TestCaller;
  close(): Promise<void>;
}

/** Makes a pool of a host, where `standard` is installed. */
export async function prepareInstalled<Host extends CalledHost>(
  starting: Promise<Host>,
  poolSettings: Readonly<Record<string, unknown>> = {},
): Promise<InstalledHost<Host>> {
  const [host, system] = await Promise.all([starting, startSystemFor('standard')]);
  const app = await host.makePool('rafting', poolSettings);
  await host.connect('standard', system, 'rafting');
  return {
    host,
    system,
    app,
    async close() {
      await host.close();
      await system.close();
    },
  };
}

/** One whose pool has a published form as well: guests can sign there. */
export interface CheckInHost<Host extends CalledHost = CalledHost> extends InstalledHost<Host> {
  readonly form: PublishedExample;
  /** A caller by the token of a link. */
  guest(place: object): Promise<TestCaller>;
  /** A complete signing of the form, of people born on these days. */
  signing(
    born: readonly string[],
    change?: Partial<Signing> & { readonly bookingGuestIds?: readonly string[] },
  ): Signing;
}

/** Makes a host one where guests can sign. It needs the feature with which they do. */
export async function prepareCheckIn<Host extends CalledHost>(
  starting: Promise<Host>,
  content?: FormContent,
): Promise<CheckInHost<Host>> {
  const installed = await prepareInstalled(starting, { timeZone: 'Europe/Berlin' });
  const { host, app } = installed;
  const form = await publishForm(host, 'rafting', content);
  return {
    ...installed,
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
  };
}
