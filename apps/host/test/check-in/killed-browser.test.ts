import { longTest } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CheckInScene, startCheckInScene } from '../harness/check-in-page.ts';
import { type Kill, killWhileSigning } from '../harness/killed-while-signing.ts';

let scene: CheckInScene;

beforeAll(async () => {
  scene = await startCheckInScene();
});
afterAll(() => scene?.close());

test('a browser killed just after confirming: what was thanked for is stored once', async () => {
  const { wasThanked, stored } = await killWhileSigning(scene, { afterMs: 60, network: 'good' });
  expect(stored).toBeLessThanOrEqual(1);
  if (wasThanked) expect(stored).toBe(1);
});

// From before the signing is sealed until after it was sent, with each network.
const moments = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 120, 140, 170, 200, 250, 300, 400, 600, 1_000];
const networks = ['good', 'lost', 'none'] as const;

longTest.each(networks)('twenty browsers killed while they write and send, network %s', async (network) => {
  const kills = moments.map((afterMs): Kill => ({ afterMs, network }));
  const counts = { thanked: 0, stored: 0 };
  for (const kill of kills) {
    const { wasThanked, stored } = await killWhileSigning(scene, kill);
    expect([kill, stored <= 1]).toEqual([kill, true]);
    if (wasThanked) expect([kill, stored]).toEqual([kill, 1]);
    counts.thanked += Number(wasThanked);
    counts.stored += stored;
  }
  console.info(`network ${network}: ${kills.length} killed, ${JSON.stringify(counts)}`);
  expect(counts.thanked).toBeGreaterThan(0);
});
