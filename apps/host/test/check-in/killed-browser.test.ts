import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CheckInScene, startCheckInScene } from '../harness/check-in-page.ts';
import { type Kill, killWhileSigning } from '../harness/killed-while-signing.ts';

let scene: CheckInScene;

beforeAll(async () => {
  scene = await startCheckInScene();
});
afterAll(() => scene?.close());

test.each<Kill>([
  { afterMs: 60, network: 'good' },
  { afterMs: 400, network: 'none' },
])(
  'a browser killed $afterMs ms after confirming, network $network: what was thanked for is stored once',
  async (kill) => {
    const { wasThanked, stored } = await killWhileSigning(scene, kill);
    expect(stored).toBeLessThanOrEqual(1);
    if (wasThanked) expect(stored).toBe(1);
  },
);
