import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import colors from 'picocolors';
import { z } from 'zod';
import { printable } from './check.ts';
import { type ServeOptions, UsageError } from './options.ts';

/** Loads a part of the host, an optional peer: checking two endpoints does not require a whole waiver service. */
export async function importHost<Part>(load: () => Promise<Part>, purpose: string): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UsageError(
      `${purpose}, and @waiver-service/host is not installed beside waiver-service-check: run it in a clone of the waiver service.`,
    );
  }
}

const pool = 'check-pool';
const keySchema = z.looseObject({ key: z.string() });
const logSchema = z.looseObject({
  msg: z.string(),
  method: z.string().optional(),
  path: z.string().optional(),
  status: z.number().optional(),
  code: z.string().optional(),
  kind: z.string().optional(),
  outcome: z.string().optional(),
  errorCode: z.string().optional(),
  waiverId: z.string().optional(),
});

/** Rewrites a line of the host's log for a partner's engineer; undefined if it does not concern them. */
export function describeLogLine(line: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const parsed = logSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { msg, method, path, status, code, kind, outcome, errorCode, waiverId } = parsed.data;
  if (
    msg === 'request answered' &&
    path !== undefined &&
    !/^\/(healthz|readyz|metrics|v1\/admin)/.test(path)
  ) {
    return `received  ${method} ${path} → ${status}${code ? ` ${code}` : ''}`;
  }
  if (msg === 'delivery attempted') {
    const details = [status, errorCode].filter((part) => part !== undefined).join(' ');
    return `sent      ${kind} of waiver ${waiverId} → ${outcome}${details ? ` (${details})` : ''}`;
  }
  return undefined;
}

type Operator = (method: string, path: string, body?: unknown) => Promise<unknown>;

function operatorOf(url: string, adminToken: string): Operator {
  return async (method, path, body) => {
    const response = await fetch(`${url}/v1/admin/${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
}

function explain(url: string, adminToken: string, installName: string, key: string): string {
  const json = '-H "Content-Type: application/json"';
  const admin = `-H "Authorization: Bearer ${adminToken}"`;
  return `${colors.bold(`A waiver service listens on ${url}. It forgets everything when it ends (Ctrl-C).`)}

  Say where your API is:
    curl -X PUT ${url}/v1/admin/booking-systems/${installName} ${admin} ${json} -d '{"baseUrl":"http://127.0.0.1:3000"}'

  Install yourself for the pool ${pool}, as your dashboard would (contract 4.4):
    curl -X POST ${url}/integration/install/${installName} ${json} -d '{"key":"${key}","pool":"${pool}","accountId":1,"apiKey":"your-key"}'

  Read a booking of yours through the waiver service (contract 4.1):
    curl ${admin} ${url}/v1/pools/${pool}/bookings/BOOKING_ID

  Sign a waiver for it, which sends you a Guest Update (contract 4.2):
    curl -X POST ${url}/v1/pools/${pool}/waivers ${admin} ${json} -d '{"bookingId":"BOOKING_ID","answers":{"name":"Test Guest"}}'

  Uninstall (contract 4.5):
    curl -X POST ${url}/integration/uninstall/${installName} ${json} -d '{"key":"${key}","pool":"${pool}","accountId":1,"apiKey":"your-key"}'

What it receives and sends:`;
}

/** Runs a waiver service to install against, and prints its requests, until SIGINT or SIGTERM. */
export async function serve({ port, 'path-shape': pathShape }: ServeOptions): Promise<number> {
  const { startHostProcess } = await importHost(
    () => import('@waiver-service/host/process'),
    '--serve runs a whole waiver service',
  );
  const installName = pathShape === 'path' ? 'standard' : 'standard-query';
  const interrupted = new Promise<void>((resolve) => {
    process.on('SIGINT', resolve);
    process.on('SIGTERM', resolve);
  });
  const folder = mkdtempSync(join(tmpdir(), 'waiver-service-check-'));
  // Under root, PostgreSQL runs as another user, which must be able to enter: otherwise its data would outlive this
  // folder.
  chmodSync(folder, 0o755);
  const host = await startHostProcess({
    dataDir: join(folder, 'data'),
    port,
    environment: process.env,
    // Deliveries are logged at this level.
    settings: { LOG_LEVEL: 'debug' },
    onLogLine(line) {
      const text = describeLogLine(line);
      if (text !== undefined) console.log(printable(text));
    },
  });
  try {
    const operator = operatorOf(host.url, host.adminToken);
    await operator('PUT', `pools/${pool}`, { name: 'Pool of the check' });
    const { key } = keySchema.parse(await operator('POST', `booking-systems/${installName}/install-keys`));
    console.log(explain(host.url, host.adminToken, installName, key));
    await Promise.race([interrupted, host.ended]);
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}
