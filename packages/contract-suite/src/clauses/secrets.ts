import type { Clause } from '../clause.ts';
import { readsContract, readsNative, writes, writesContract } from '../conditions.ts';
import { expectNoLeak, rejectionOf } from '../expectations.ts';
import { brokenBodies, withEachText } from '../fixtures.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import type { PartnerAnswer, PartnerRequest, PartnerResponse } from '../kit/partner.ts';
import { inEachForm } from './operations.ts';

/** Creates responses that echo their request's secrets. */
const echoing =
  (kit: ClauseKit, response: (secrets: readonly string[]) => PartnerResponse) =>
  (request: PartnerRequest): PartnerResponse =>
    response(kit.secretsIn(request));

const page = (secrets: readonly string[]) => `<html><body>${secrets.join(' ')}</body></html>`;
const refusal = (secrets: readonly string[]) => ({
  success: false,
  message: `bad key ${secrets.join(', ')}`,
  secrets,
});

/** Error responses, most of which echo every secret of the request. */
function badAnswers(kit: ClauseKit): readonly PartnerAnswer[] {
  return [
    ...[401, 403, 404, 429, 500].map((status) =>
      echoing(kit, (secrets) => ({ status, body: refusal(secrets) })),
    ),
    echoing(kit, (secrets) => ({ status: 502, body: page(secrets) })),
    echoing(kit, ([secret = '']) => ({
      status: 302,
      headers: { location: `/login?key=${encodeURIComponent(secret)}` },
    })),
    'reset',
  ];
}

/** Responses with status 200 that are not a booking, most of which echo every secret of the request. */
function badBodies(kit: ClauseKit): readonly PartnerAnswer[] {
  const forms = inEachForm(kit.plugin);
  return [
    ...forms.flatMap((write) => [
      echoing(kit, (secrets) => ({
        body: write({ pax: secrets.join(), contact: { [secrets.join()]: 1 }, id: {} }),
      })),
      echoing(kit, (secrets) => ({ body: { [secrets.join()]: write({}) } })),
    ]),
    echoing(kit, (secrets) => ({ body: refusal(secrets) })),
    echoing(kit, (secrets) => ({ body: page(secrets) })),
    echoing(kit, (secrets) => ({ body: brokenBodies.half(JSON.stringify(secrets)) })),
    { body: brokenBodies.tooLarge(JSON.stringify(kit.bookingBody)) },
  ];
}

/** Expects neither a call's result nor the log of its requests to show a secret, and clears the recorded requests. */
export function expectNothingShown(
  kit: ClauseKit,
  result: unknown,
  origin: string,
  further: readonly string[] = [],
): void {
  const secrets = [
    ...further,
    ...kit.secrets,
    ...kit.issuedTokens,
    ...kit.partner.requests.flatMap((request) => kit.secretsIn(request)),
  ];
  expectNoLeak(result, secrets, origin);
  const log = kit.exchanges.map(({ url, excerpt }) => `${url} ${excerpt}`);
  expectNoLeak(log, secrets, `the log of ${origin}`);
  // Otherwise each of hundreds of calls would be compared with the requests of all previous calls.
  kit.partner.requests.length = 0;
  kit.exchanges.length = 0;
}

/** No error, warning, booking or log shows a secret. */
export const secretClauses: readonly Clause[] = [
  {
    id: 'secrets/read-errors',
    section: 'plugin interface, errors',
    title: 'no error of a read shows a secret, even one that the booking system repeats',
    async run(kit) {
      for (const [index, answer] of [...badAnswers(kit), ...badBodies(kit)].entries()) {
        kit.partner.willAnswer(kit.readMethod, answer);
        expectNothingShown(kit, await rejectionOf(kit.read()), `reading, response ${index + 1}`);
      }
    },
  },
  {
    id: 'secrets/read-warnings',
    section: 'plugin interface, warnings',
    title: 'no warning of a read shows a secret, even one that the booking system repeats',
    appliesTo: readsContract,
    async run(kit) {
      for (const write of inEachForm(kit.plugin)) {
        const body = (secrets: readonly string[]) =>
          write({ id: secrets.join(), notes: { [secrets.join()]: secrets } });
        kit.partner.willAnswer(
          'GET',
          echoing(kit, (secrets) => ({ body: body(secrets) })),
        );
        const { warnings } = await kit.read();
        expectNothingShown(kit, warnings, 'reading with warnings');
      }
    },
  },
  {
    id: 'secrets/booking',
    section: 'plugin interface, authentication',
    title: 'no booking shows a secret of its request, in whichever text the booking system repeats it',
    async run(kit) {
      const further = readsNative(kit.plugin) ? (kit.native.bodies[0].further ?? []) : [];
      const bodies = readsNative(kit.plugin)
        ? [kit.bookingBody]
        : inEachForm(kit.plugin).map((write) => write({}));
      for (const { where, change } of bodies.flatMap(withEachText)) {
        kit.partner.willAnswerAll((request, nth) =>
          nth === 0 ? { body: change(kit.secretsIn(request).join(' ')) } : (further[nth - 1]?.answer ?? {}),
        );
        const result = await kit.read().catch((error: unknown) => error);
        expectNothingShown(kit, result, `reading, with secrets in ${where}`);
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
        ? [400, 410, 200].map((status) => echoing(kit, (secrets) => ({ status, body: refusal(secrets) })))
        : [];
      for (const [index, answer] of [...badAnswers(kit), ...refusals].entries()) {
        kit.partner.willAnswer(kit.writeMethod, answer);
        expectNothingShown(kit, await rejectionOf(kit.push()), `Guest Update, response ${index + 1}`);
      }
    },
  },
];
