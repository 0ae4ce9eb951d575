import { expect, test } from 'vitest';
import { report } from '../harness/form.ts';
import { buildFormer, formerCommit, whyNoFormerBuild } from '../harness/former-build.ts';
import { startRollingHosts } from '../harness/rolling-hosts.ts';

const rounds = 3;

test('hosts of the version before replaced by this one under load, back, and again: no failed request, nothing lost, nothing out of order', async (context) => {
  // Building the version before takes longer than `npm test` can wait.
  const obstacle = whyNoFormerBuild();
  if (obstacle !== undefined) return context.skip(obstacle);
  const former = buildFormer();
  const scene = await startRollingHosts(2, former);
  for (let round = 0; round < rounds; round += 1) {
    // The first new host migrates the database; the former ones go on beside it.
    await scene.replaceAll();
    if (round < rounds - 1) await scene.replaceAll(former);
  }
  const { writes, reads, messages, failed, missing, outOfOrder, atOnce, unended } = await scene.end();
  report({
    'version before': formerCommit.slice(0, 7),
    'hosts replaced': 2 * (2 * rounds - 1),
    writes,
    reads,
    messages,
    'failed requests': failed.length,
    lost: missing.length,
    'out of order': outOfOrder.length,
  });
  expect(failed).toEqual([]);
  expect(missing).toEqual([]);
  expect(outOfOrder).toEqual([]);
  expect(atOnce).toEqual([]);
  expect(unended).toEqual([]);
}, 900_000);
