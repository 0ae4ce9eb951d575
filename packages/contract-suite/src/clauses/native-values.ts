import { bookingSchema, isBookingSystemError } from '@waiver-service/core';
import type { Clause } from '../clause.ts';
import { readsNative } from '../conditions.ts';
import { strayValues, withEachValue } from '../fixtures.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import { type Address, type Scenario, scenariosOf } from '../native/every-scenario.ts';
import { inScenario } from '../native/exchanging.ts';

/** Plays a scenario with another body in one of its answers. */
async function expectJudged(kit: ClauseKit, scenario: Scenario, place: number, body: unknown): Promise<void> {
  const { of, steps, waiver, call } = scenario;
  kit.partner.willAnswerAll((_, nth) => {
    const answer = steps[nth]?.answer ?? { status: 404 };
    return nth === place ? { ...answer, body } : answer;
  });
  try {
    const result = await call({ waiver, account: {} });
    if (of === 'read') bookingSchema.parse(Object(result).booking);
  } catch (error) {
    if (!isBookingSystemError(error)) throw error;
  }
}

/** The same field of answers to requests that differ in their ids, and of all entries of a list, is tried once. */
const fieldOf = ({ of }: Scenario, { method, segments }: Address, where: string) =>
  [of, method, segments.length, where.replaceAll(/\d+/g, '0')].join(' ');

async function expectAnyValueJudged(kit: ClauseKit): Promise<void> {
  const tried = new Set<string>();
  for (const scenario of scenariosOf(kit)) {
    for (const [place, { address, answer }] of scenario.steps.entries()) {
      for (const { where, change } of withEachValue(answer.body)) {
        const field = fieldOf(scenario, address, where);
        if (tried.has(field)) continue;
        tried.add(field);
        for (const value of strayValues) {
          await inScenario(
            `${scenario.name}, with ${JSON.stringify(value)} as ${where || 'the body'} of answer ${place + 1}`,
            () => expectJudged(kit, scenario, place, change(value)),
          );
        }
      }
    }
  }
}

/** Values in a vendor's answers that its documents do not promise. */
export const nativeValueClauses: readonly Clause[] = [
  {
    id: 'native/any-value',
    section: 'plugin interface, errors',
    title:
      'whatever stands in a field of an answer, the call ends with a result, a read with a valid booking, or with one of core’s errors',
    appliesTo: readsNative,
    run: expectAnyValueJudged,
  },
];
