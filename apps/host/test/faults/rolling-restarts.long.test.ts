import { test } from 'vitest';
import { startRollingHosts } from '../harness/rolling-hosts.ts';

const hosts = 2;
const rounds = 10;

test(`every host replaced under load behind a load balancer that asks /readyz, ${rounds} times: no failed request, nothing lost, nothing out of order`, async () => {
  const scene = await startRollingHosts(hosts);
  for (let round = 0; round < rounds; round += 1) await scene.replaceAll();
  await scene.end({ restarts: hosts * rounds });
}, 600_000);
