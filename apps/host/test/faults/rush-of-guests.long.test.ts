import { expect, it } from 'vitest';
import { startCheckInHost } from '../harness/check-in.ts';

const guests = 200;
const adult = '1990-02-28';

it(`${guests} guests of one pool sign at once: none is refused, none lost, each record is sealed`, async () => {
  const checkIn = await startCheckInHost();
  try {
    const links = await Promise.all(Array.from({ length: 20 }, () => checkIn.guest({ desk: true })));
    const signings = Array.from({ length: guests }, () => checkIn.signing([adult]));
    const startedAt = performance.now();
    const answers = await Promise.all(
      signings.map((signing, index) =>
        links[index % links.length]?.('POST', '/check-in/api/signings', signing),
      ),
    );
    const signedMs = performance.now() - startedAt;
    expect(answers.map((answer) => answer?.status)).toEqual(Array(guests).fill(201));
    const isSealed = async (id: string) => {
      const { body } = await checkIn.app('GET', `/v1/pools/rafting/waivers/${id}-1/evidence`);
      return body.chain.length > 0;
    };
    await expect
      .poll(async () => (await Promise.all(signings.map(({ id }) => isSealed(id)))).every(Boolean), {
        timeout: 120_000,
      })
      .toBe(true);
    const sealedMs = performance.now() - startedAt - signedMs;
    console.log(
      `${guests} signings in ${Math.round(signedMs)} ms, sealed ${Math.round(sealedMs)} ms later (looking included)`,
    );
  } finally {
    await checkIn.close();
  }
});
