import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CheckInScene, startCheckInScene } from '../harness/check-in-page.ts';
import { killWhileSigning } from '../harness/killed-while-signing.ts';

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
