import { statfs } from 'node:fs/promises';
import { BlockList } from 'node:net';
import { findPluginPackages, loadPlugins } from '@waiver-service/integration/load-plugins';
import { type DatabaseExamination, examineDatabase } from '@waiver-service/operations/data';
import { features } from '../../features.ts';
import { hostFolder, hostVersion } from '../../host-package.ts';
import { settingsOfEnvironment } from '../../settings/environment.ts';
import { existingEncryptionKeys } from '../../settings/generated-secrets.ts';
import type { HostSettings } from '../../settings/host-settings.ts';
import { type CommandOutput, inBytes, printable, printableLines, withDatabase } from '../command-output.ts';
import { type Finding, judgeDatabase, note, ok, problem } from './judge-database.ts';

// Cloud metadata services, which hand out credentials.
const metadataAddresses = ['169.254.169.254', 'fd00:ec2::254'];
// Public addresses: a range with one of them is not a private network.
const publicAddresses = ['8.8.8.8', '2001:4860:4860::8888'];

function contains(range: string, address: string): boolean {
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const [start = '', bits] = range.split('/');
  if (start.includes(':') !== address.includes(':')) return false;
  const list = new BlockList();
  list.addSubnet(start, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  return list.check(address, family);
}

function judgeOutbound({ outboundAllow }: HostSettings): Finding {
  const having = (addresses: readonly string[]) =>
    outboundAllow.filter((range) => addresses.some((address) => contains(range, address)));
  const metadata = having(metadataAddresses);
  if (metadata.length > 0) {
    return problem(
      'outbound',
      `OUTBOUND_ALLOW opens ${metadata.join(', ')}, with the addresses at which clouds give out credentials: name only the ranges of your partners.`,
    );
  }
  const open = having(publicAddresses);
  if (open.length > 0)
    return problem(
      'outbound',
      `OUTBOUND_ALLOW opens ${open.join(', ')}, public addresses too, to plain http: name private ranges.`,
    );
  return outboundAllow.length === 0
    ? ok('outbound', 'Only public addresses are called, by https.')
    : note(
        'outbound',
        `These private addresses may be called, also by plain http: ${outboundAllow.join(', ')}.`,
      );
}

const isLoopback = (host: string) => /^(localhost|127\..*|\[?::1\]?)$/.test(host);

function judgeAddress({ host, port, baseUrl }: HostSettings): Finding {
  const listening = `A host listens on ${host}:${port === 0 ? 'any port' : port}`;
  if (baseUrl === undefined)
    return note(
      'address',
      `${listening}, and BASE_URL is not set: booking systems on other machines cannot call it.`,
    );
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== 'https:' && !isLoopback(hostname))
    return note(
      'address',
      `${listening}; others call it at ${baseUrl}, where keys travel in the clear: put a proxy with TLS in front.`,
    );
  return ok('address', `${listening}; others call it at ${baseUrl}.`);
}

/** The findings about the settings themselves; makes no connection. */
export const judgeSettings = (settings: HostSettings): Finding[] => [
  judgeAddress(settings),
  judgeOutbound(settings),
];

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const minFreeBytes = 1024 * 1024 * 1024;
const notableShare = 0.1;

/** Whether a folder's disk has room for its database to grow. */
export function judgeRoom(folder: string, { free, total }: { free: number; total: number }): Finding {
  const share = Math.round((free / total) * 100);
  const message = `${inBytes(free)} (${share} %) of the disk of ${folder} are free.`;
  if (free < minFreeBytes)
    return problem('disk', `${message} A database stops when its disk is full: make room.`);
  return free < total * notableShare ? note('disk', message) : ok('disk', message);
}

async function examineRoom(folder: string | undefined): Promise<Finding> {
  if (folder === undefined)
    return note('disk', 'The database is on a server: look at the room on its disk there.');
  const { bavail, blocks, bsize } = await statfs(folder);
  return judgeRoom(folder, { free: bavail * bsize, total: blocks * bsize });
}

async function examinePlugins({ plugins }: HostSettings): Promise<Finding[]> {
  const refused: Finding[] = [];
  try {
    const { loaded, unlisted } = findPluginPackages(hostFolder, plugins);
    const usable = await loadPlugins(loaded, (name) => import(name), {
      warn: (_fields, sentence) => void refused.push(problem('plugins', sentence)),
    });
    const ignored = unlisted.map((name) =>
      note('plugins', `The plugin ${name} is installed and not loaded: add it to PLUGINS to load it.`),
    );
    return [...refused, ...ignored, ok('plugins', `${usable.length} plugins can be used.`)];
  } catch (error) {
    return [problem('plugins', messageOf(error))];
  }
}

async function examineStored(
  settings: HostSettings,
  onMessage: (message: string) => void,
): Promise<Finding[]> {
  try {
    const encryptionKeys = existingEncryptionKeys(settings);
    const keyIds = encryptionKeys.map(({ id }) => id);
    return await withDatabase(settings, onMessage, async ({ url, folder }) => {
      const examination: DatabaseExamination = await examineDatabase({
        databaseUrl: url,
        encryptionKeys,
        features,
      });
      const kind =
        folder === undefined
          ? ok('storage', 'DATABASE_URL names the database.')
          : ok('storage', `The database is the embedded one, in ${folder}.`);
      return [kind, ...judgeDatabase(examination, keyIds, new Date()), await examineRoom(folder)];
    });
  } catch (error) {
    return [problem('database', messageOf(error))];
  }
}

function readSettings(): { readonly settings: HostSettings | undefined; readonly findings: Finding[] } {
  try {
    const settings = settingsOfEnvironment();
    return { settings, findings: [ok('settings', 'All settings are valid.')] };
  } catch (error) {
    return { settings: undefined, findings: [problem('settings', messageOf(error))] };
  }
}

const marks: Readonly<Record<Finding['status'], string>> = {
  ok: 'ok      ',
  note: 'note    ',
  problem: 'PROBLEM ',
};

/** Runs all checks and reports the findings as sentences or JSON. */
export async function examine(json: boolean, { print, note: remark }: CommandOutput): Promise<number> {
  const { settings, findings } = readSettings();
  if (settings !== undefined) {
    findings.push(...judgeSettings(settings));
    findings.push(...(await examineStored(settings, json ? () => {} : remark)));
    findings.push(...(await examinePlugins(settings)));
  }
  const isWell = findings.every(({ status }) => status !== 'problem');
  if (json) print(JSON.stringify({ ok: isWell, version: hostVersion(), findings }, null, 2));
  else {
    for (const { check, status, message } of findings) {
      // Of several wrong settings, each has its line.
      const shown = check === 'settings' ? printableLines(message) : printable(message);
      print(`${marks[status]}${check.padEnd(12)}${shown}`);
    }
    print(isWell ? 'All is well.' : 'Not all is well: see each PROBLEM.');
  }
  return isWell ? 0 : 1;
}
