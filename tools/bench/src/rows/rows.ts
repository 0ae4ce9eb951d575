import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../harness/row.ts';
import { startHostProcess } from '../subjects/host.ts';
import { acceptRow } from './accept-row.ts';
import { drainRows } from './drain-rows.ts';
import { growthRows } from './growth-rows.ts';
import { readRow } from './read-row.ts';
import { signRows } from './sign-rows.ts';

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
const startUpRow: Row = {
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

/** Every row, in the order of running and display. */
export const rows: readonly Row[] = [
  ...drainRows,
  acceptRow,
  ...signRows,
  readRow,
  startUpRow,
  ...growthRows,
];
