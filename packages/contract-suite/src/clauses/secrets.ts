import type { Clause } from '../clause.ts';
import { expectNoLeak } from '../expectations/leaks.ts';
import { rejectionOf } from '../expectations/rejection.ts';
import { brokenBodies } from '../fixtures/broken-bodies.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import type { PartnerAnswer } from '../kit/partner.ts';
import { readsContract, writes, writesContract } from '../manifest-predicates.ts';
import { inEachForm } from './fetch-body.ts';

/** Error responses, some of which repeat every secret. */
function badAnswers({ secrets }: ClauseKit): readonly PartnerAnswer[] {
  const echo = { success: false, message: `bad key ${secrets.join(', ')}`, secrets };
  const statuses = [401, 403, 404, 429, 500];
  return [
    ...statuses.map((status) => ({ status, body: echo })),
    { status: 502, body: `<html><body>${secrets.join(' ')}</body></html>` },
    { status: 302, headers: { location: `/login?key=${secrets[0] ?? ''}` } },
    'reset',
  ];
}

/** Responses with status 200 that are not a booking, some of which repeat every secret. */
function badBodies({ plugin, secrets, bookingBody }: ClauseKit): readonly PartnerAnswer[] {
  const forms = inEachForm(plugin);
  return [
    ...secrets.flatMap((secret) =>
      forms.flatMap((write) => [
        { body: write({ pax: secret, contact: { [secret]: 1 }, id: {} }) },
        { body: { [secret]: write({}) } },
      ]),
    ),
    { body: { success: false, message: `bad key ${secrets.join(', ')}` } },
    { body: `<html><body>${secrets.join(' ')}</body></html>` },
    { body: brokenBodies.half(JSON.stringify(secrets)) },
    { body: brokenBodies.tooLarge(JSON.stringify(bookingBody)) },
  ];
}

/** No error or warning shows a secret. */
export const secretClauses: readonly Clause[] = [
  {
    id: 'secrets/read-errors',
    section: 'plugin interface, errors',
    title: 'no error of a read shows a secret, even one that the booking system repeats',
    async run(kit) {
      for (const answer of [...badAnswers(kit), ...badBodies(kit)]) {
        kit.partner.willAnswer(kit.readMethod, answer);
        expectNoLeak(await rejectionOf(kit.read()), kit.secrets, `reading, after ${describe(answer)}`);
      }
    },
  },
  {
    id: 'secrets/read-warnings',
    section: 'plugin interface, warnings',
    title: 'no warning of a read shows a secret, even one that the booking system repeats',
    appliesTo: readsContract,
    async run(kit) {
      for (const secret of kit.secrets) {
        for (const write of inEachForm(kit.plugin)) {
          kit.partner.willAnswer('GET', { body: write({ id: secret, notes: { [secret]: secret } }) });
          const { warnings } = await kit.read();
          expectNoLeak(warnings, kit.secrets, 'reading with warnings');
        }
      }
    },
  },
  {
    id: 'secrets/guest-update-errors',
    section: 'plugin interface, errors',
    title: 'no error of a Guest Update shows a secret, even one that the booking system repeats',
    appliesTo: writes,
    async run(kit) {
      const refusals = writesContract(kit.plugin)
        ? [400, 410, 200].map((status) => ({
            status,
            body: { success: false, message: `bad key ${kit.secrets.join(', ')}` },
          }))
        : [];
      for (const answer of [...badAnswers(kit), ...refusals]) {
        kit.partner.willAnswer(kit.writeMethod, answer);
        expectNoLeak(await rejectionOf(kit.push()), kit.secrets, `Guest Update, after ${describe(answer)}`);
      }
    },
  },
];

const describe = (answer: PartnerAnswer) =>
  typeof answer === 'string' ? `a ${answer}` : `status ${answer.status ?? 200}`;
