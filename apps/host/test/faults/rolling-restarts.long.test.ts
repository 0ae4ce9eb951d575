import { report } from '@waiver-service/testing';
import { expect, test } from 'vitest';
import { startRollingHosts } from '../harness/rolling-hosts.ts';

const hosts = 2;
const rounds = 10;

test(`every host replaced under load behind a load balancer that asks /readyz, ${rounds} times: no failed request, nothing lost, nothing out of order`, async () => {
  const scene = await startRollingHosts(hosts);
  for (let round = 0; round < rounds; round += 1) await scene.replaceAll();
  const { writes, reads, messages, failed, missing, outOfOrder, atOnce, unended } = await scene.end();
  report({
    restarts: hosts * rounds,
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
}, 600_000);
