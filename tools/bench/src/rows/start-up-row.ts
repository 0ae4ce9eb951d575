import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../harness/row.ts';
import { startHostProcess } from '../subjects/host-process.ts';

async function startIn(dataDir: string) {
  const host = await startHostProcess({ DATA_DIR: dataDir });
  await host.stop();
  return { value: host.readyAfterMs };
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waiver-service-bench-start-'));
  await chmod(folder, 0o755);
  return folder;
}

/** From nothing to `listening on …`, including creating the database, against starting on an existing one. */
export const startUpRow: Row = {
  name: 'start-up',
  subject: 'cold',
  base: 'warm',
  unit: 'ms',
  async prepare(ground) {
    let dataDir: string | undefined;
    const forget = async () => {
      if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
    };
    ground.defer(forget);
    return {
      async subject() {
        await forget();
        dataDir = await makeFolder();
        return startIn(dataDir);
      },
      async base() {
        dataDir ??= await makeFolder();
        return startIn(dataDir);
      },
    };
  },
};
