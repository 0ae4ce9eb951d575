import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { report, until } from '@waiver-service/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { documentedBlock } from '../harness/documented-blocks.ts';
import { callInTurn, createFleet } from '../harness/fleet.ts';
import { keepSigning, messagesOutOfOrder } from '../harness/keep-signing.ts';
import { expectOnlyUnavailable, lostWrites, untilRecorded } from '../harness/recorded-writes.ts';
import { startTimedReceiver } from '../harness/timed-receiver.ts';

const run = promisify(execFile);
const configuration = join(import.meta.dirname, '../../../../deploy/patroni');

/** One of the three machines of `deploy/patroni`. */
type Machine = 'a' | 'b' | 'c';
const machines: readonly Machine[] = ['a', 'b', 'c'];
const addressOf = (machine: Machine) => `10.0.0.${machines.indexOf(machine) + 1}`;

const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin'];
const hasProgram = (name: string) => folders.some((folder) => existsSync(join(folder, name)));
const postgresPrograms = globSync('/usr/lib/postgresql/*/bin').at(-1);

/** Why no cluster can be started here; `undefined` where one can. */
function whyNoPatroni(): string | undefined {
  const missing = Object.entries({
    patroni: hasProgram('patroni'),
    'etcd-server': hasProgram('etcd'),
    haproxy: hasProgram('haproxy'),
    postgresql: postgresPrograms !== undefined,
    iproute2: hasProgram('ip'),
  }).flatMap(([name, isInstalled]) => (isInstalled ? [] : [name]));
  if (missing.length > 0) return `not installed: ${missing.join(', ')} (Debian's packages)`;
  if (process.getuid?.() !== 0) return 'each machine is a network namespace, which only root can create';
  return undefined;
}

const membersSchema = z.object({
  members: z.array(z.object({ name: z.string(), role: z.string() })),
});
type Member = z.infer<typeof membersSchema>['members'][number];

/** One more way through HAProxy: to the REST API of the first machine that answers. */
const restApi = (socket: string) => `listen api
  mode http
  option redispatch 1
  bind unix@${socket} mode 777
${machines.map((machine) => `  server ${machine} ${addressOf(machine)}:8008`).join('\n')}
`;

/** PostgreSQL as `deploy/patroni` has it: each machine a network namespace, HAProxy in one more. */
interface PatroniCluster {
  /** Of HAProxy, which leads to the leader. */
  readonly url: string;
  leader(): Promise<Machine>;
  synchronousStandby(): Promise<Machine>;
  /** Kills the PostgreSQL of a machine: kill -9. */
  killServer(machine: Machine): void;
  /** Kills every process of a machine, etcd too. */
  killMachine(machine: Machine): Promise<void>;
  /** Starts what a machine runs, after it was killed. */
  startMachine(machine: Machine): void;
  /** No packet leaves the machine or reaches it. */
  cutOff(machine: Machine): Promise<void>;
  reconnect(machine: Machine): Promise<void>;
  killEtcd(machine: Machine): Promise<void>;
  startEtcd(machine: Machine): void;
  /** Deletes the data of a machine that was killed. */
  deleteData(machine: Machine): void;
  /** Waits until both other machines follow the leader, one of them synchronously. */
  untilWhole(): Promise<void>;
  remove(): Promise<void>;
}

/** @throws where {@link whyNoPatroni} says why */
async function startPatroniCluster(): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'waiver-patroni-'));
  chmodSync(folder, 0o755);
  const prefix = `ws${process.pid}`;
  const lan = `${prefix}-lan`;
  const namespaceOf = (machine: Machine) => `${prefix}-${machine}`;
  /** The machine's end of the wire in the namespace of the network. */
  const wireOf = (machine: Machine) => `machine-${machine}`;
  const inside = (namespace: string, ...words: string[]) => run('ip', ['netns', 'exec', namespace, ...words]);

  function launch(namespace: string, words: readonly string[], env: NodeJS.ProcessEnv, log: string): void {
    const output = openSync(join(folder, log), 'a');
    const child = spawn('ip', ['netns', 'exec', namespace, ...words], {
      env: { PATH: `${process.env.PATH}:/usr/sbin`, LC_ALL: 'C.UTF-8', ...env },
      stdio: ['ignore', output, output],
      detached: true,
      cwd: '/',
    });
    child.on('error', () => {});
    child.unref();
  }

  /** The configuration of a machine, with folders of this test. */
  const folderOf = (machine: Machine) => join(folder, machine);
  function environmentOf(machine: Machine): Record<string, string> {
    const template = readFileSync(join(configuration, 'node-a.env'), 'utf8');
    const lines = template.split('\n').filter((line) => /^\w+=/.test(line));
    return Object.fromEntries(
      lines.map((line) => {
        const [name = '', ...value] = line.split('=');
        const given = value.join('=');
        if (name === 'ETCD_INITIAL_CLUSTER') return [name, given];
        if (name.endsWith('_NAME')) return [name, machine];
        return [
          name,
          given
            .replace('10.0.0.1', addressOf(machine))
            .replace('/var/lib/etcd/waivers', join(folderOf(machine), 'etcd')),
        ];
      }),
    );
  }
  const asPostgres = ['runuser', '-u', 'postgres', '--'];
  const dataOf = (machine: Machine) => join(folderOf(machine), 'data');

  const startEtcd = (machine: Machine) =>
    launch(namespaceOf(machine), [...asPostgres, 'etcd'], environmentOf(machine), `etcd-${machine}.log`);
  function startMachine(machine: Machine): void {
    startEtcd(machine);
    const words = [...asPostgres, 'patroni', join(folderOf(machine), 'patroni.yml')];
    launch(namespaceOf(machine), words, environmentOf(machine), `patroni-${machine}.log`);
  }

  async function prepareMachine(machine: Machine): Promise<void> {
    const own = folderOf(machine);
    mkdirSync(own);
    const settings = readFileSync(join(configuration, 'patroni.yml'), 'utf8')
      .replace('/usr/lib/postgresql/15/bin', postgresPrograms ?? '')
      .replace('/var/lib/postgresql/15/waivers', dataOf(machine))
      .replace('/var/lib/postgresql/.pgpass_patroni', join(own, 'pgpass'))
      .replace('/var/run/postgresql', own)
      // A container has no watchdog.
      .replace('mode: required', "mode: 'off'");
    writeFileSync(join(own, 'patroni.yml'), settings);
    await run('chown', ['-R', 'postgres:', own]);
    const namespace = namespaceOf(machine);
    await run('ip', ['netns', 'add', namespace]);
    await inside(
      lan,
      'ip',
      'link',
      'add',
      wireOf(machine),
      'type',
      'veth',
      'peer',
      'name',
      'eth0',
      'netns',
      namespace,
    );
    await inside(lan, 'ip', 'link', 'set', wireOf(machine), 'master', 'lan', 'up');
    await inside(namespace, 'ip', 'address', 'add', `${addressOf(machine)}/24`, 'dev', 'eth0');
    for (const link of ['lo', 'eth0']) await inside(namespace, 'ip', 'link', 'set', link, 'up');
  }

  async function killAll(namespace: string): Promise<void> {
    const pids = async () => {
      const { stdout } = await run('ip', ['netns', 'pids', namespace]);
      return stdout.split('\n').filter(Boolean).map(Number);
    };
    await until(async () => {
      const alive = await pids();
      for (const pid of alive) kill(pid);
      return alive.length === 0;
    }, 'the processes of a machine to end');
  }
  function kill(pid: number): void {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }

  const urlFor = (user: string, database: string) =>
    `postgresql://${user}@/${database}?host=${encodeURIComponent(folder)}`;
  const superuser = environmentOf('a').PATRONI_SUPERUSER_PASSWORD;
  async function query(statement: string) {
    const client = new Client({
      connectionString: urlFor(`postgres:${superuser}`, 'postgres'),
      connectionTimeoutMillis: 5_000,
      statement_timeout: 5_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(statement)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** The leader's own report; `undefined` while HAProxy leads nowhere. */
  const tryQuery = (statement: string) => query(statement).catch(() => undefined);

  /** Patroni's members, as the first machine that answers knows them. */
  async function askMembers(): Promise<readonly Member[]> {
    const { promise, resolve } = Promise.withResolvers<readonly Member[]>();
    get({ socketPath: join(folder, 'api'), path: '/cluster', timeout: 5_000 }, async (response) => {
      const answer = await text(response).catch(() => '');
      resolve(response.statusCode === 200 ? membersSchema.parse(JSON.parse(answer)).members : []);
    })
      .on('error', () => resolve([]))
      .on('timeout', () => resolve([]));
    return promise;
  }

  const cluster: PatroniCluster = {
    url: urlFor('waiver_service:change-me', 'waiver_service'),
    async leader() {
      const address = await until(
        async () => (await tryQuery('select host(inet_server_addr()) as address'))?.[0]?.address,
        'a leader',
        120_000,
      );
      const machine = machines.find((one) => addressOf(one) === address);
      if (machine === undefined) throw new Error(`the leader is at ${address}`);
      return machine;
    },
    async synchronousStandby() {
      const standby = (await askMembers()).find(({ role }) => role === 'sync_standby');
      const machine = machines.find((one) => one === standby?.name);
      if (machine === undefined) throw new Error('there is no synchronous standby');
      return machine;
    },
    killServer(machine) {
      const [pid] = readFileSync(join(dataOf(machine), 'postmaster.pid'), 'utf8').split('\n');
      kill(Number(pid));
    },
    killMachine: (machine) => killAll(namespaceOf(machine)),
    startMachine,
    cutOff: async (machine) => void (await inside(lan, 'ip', 'link', 'set', wireOf(machine), 'down')),
    reconnect: async (machine) => void (await inside(lan, 'ip', 'link', 'set', wireOf(machine), 'up')),
    async killEtcd(machine) {
      const { stdout } = await run('ip', ['netns', 'pids', namespaceOf(machine)]);
      for (const pid of stdout.split('\n').filter(Boolean)) {
        const name = existsSync(`/proc/${pid}/comm`) ? readFileSync(`/proc/${pid}/comm`, 'utf8').trim() : '';
        if (name === 'etcd') kill(Number(pid));
      }
    },
    startEtcd,
    deleteData: (machine) => rmSync(dataOf(machine), { recursive: true, force: true }),
    async untilWhole() {
      // Of a server that was just killed, Patroni tells the state before.
      const streaming =
        "select count(*)::integer as count from pg_stat_replication where state = 'streaming'";
      await until(
        async () => {
          if ((await tryQuery(streaming))?.[0]?.count !== 2) return false;
          const roles = (await askMembers()).map(({ role }) => role).toSorted();
          return roles.join() === 'leader,replica,sync_standby';
        },
        'both other machines to follow the leader',
        180_000,
      );
    },
    async remove() {
      for (const namespace of [...machines.map(namespaceOf), lan]) {
        if (!existsSync(join('/run/netns', namespace))) continue;
        await killAll(namespace);
        await run('ip', ['netns', 'delete', namespace]);
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };

  try {
    await run('ip', ['netns', 'add', lan]);
    await inside(lan, 'ip', 'link', 'add', 'lan', 'type', 'bridge');
    await inside(lan, 'ip', 'address', 'add', '10.0.0.100/24', 'dev', 'lan');
    for (const link of ['lo', 'lan']) await inside(lan, 'ip', 'link', 'set', link, 'up');
    for (const machine of machines) await prepareMachine(machine);
    const proxy = readFileSync(join(configuration, 'haproxy.cfg'), 'utf8').replace(
      'bind 127.0.0.1:5432',
      `bind unix@${folder}/.s.PGSQL.5432 mode 777`,
    );
    writeFileSync(join(folder, 'haproxy.cfg'), `${proxy}${restApi(join(folder, 'api'))}`);
    launch(lan, ['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')], {}, 'haproxy.log');
    for (const machine of machines) startMachine(machine);
    await cluster.untilWhole();
    for (const statement of documentedBlock('deploy/patroni/README.md', 'CREATE ROLE').trim().split('\n'))
      await query(statement);
    return cluster;
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}

const kills = 20;
// Longer than a leader that cannot reach etcd would remain one.
const etcdAwayMs = 40_000;

test(`three machines with Patroni under load, ${kills} leaders killed, one cut off, etcd lost, one made again: nothing lost, nothing out of order, hosts go on by themselves`, async (context) => {
  const obstacle = whyNoPatroni();
  if (obstacle !== undefined) return context.skip(obstacle);
  const cluster = await startPatroniCluster();
  onTestFinished(() => cluster.remove());
  const receiver = await startTimedReceiver(() => 'taken');
  onTestFinished(() => receiver.close());
  const fleet = createFleet({
    DATABASE_URL: cluster.url,
    // After an attempt lost to our fault, the backoff would outlast this test.
    RETRY_SCHEDULE: ['0s', ...Array(9).fill('1h')].join(','),
    // The receiver shares two cores with all of this.
    OUTBOUND_TIMEOUT: '30s',
    LOG_LEVEL: 'fatal',
  });
  const host = await fleet.join();
  await fleet.join();
  const token = await host.makePool('p');
  await host.connect('standard', { url: `${receiver.url}/system` }, 'p');
  const url = `${receiver.url}/webhook`;
  await host.done('POST', '/v1/admin/pools/p/webhooks', { url, auth: { type: 'none' } });
  const load = keepSigning(callInTurn(fleet, token));

  /**
   * Breaks something under load and watches for a while; returns the longest time in which no write was accepted, of
   * those that began afterwards.
   */
  async function awayMs(fault: () => void | Promise<void>, watchMs = 0): Promise<number> {
    const before = receiver.messages.length;
    await until(() => receiver.messages.length > before + 40, 'messages to arrive', 60_000);
    const brokenAt = performance.now();
    await fault();
    const faultedAt = performance.now();
    const later = () => load.accepted.filter(({ at, durationMs }) => at - durationMs > faultedAt);
    await until(
      () => later().length > 0 && performance.now() > faultedAt + watchMs,
      'a write to be accepted',
      watchMs + 120_000,
    );
    const moments = [brokenAt, ...later().map(({ at }) => at)];
    return Math.max(...moments.map((at, place) => at - (moments[place - 1] ?? at)));
  }

  const away: Record<string, number[]> = {};
  const note = (fault: string, ms: number) => {
    away[fault] = [...(away[fault] ?? []), ms];
  };
  for (let round = 0; round < kills; round += 1) {
    const leader = await cluster.leader();
    if (round % 2 === 0) note('PostgreSQL killed', await awayMs(() => cluster.killServer(leader)));
    else {
      note('machine killed', await awayMs(() => cluster.killMachine(leader)));
      cluster.startMachine(leader);
    }
    await cluster.untilWhole();
  }

  const former = await cluster.leader();
  note('leader cut off', await awayMs(() => cluster.cutOff(former)));
  expect(await cluster.leader()).not.toBe(former);
  await cluster.reconnect(former);
  await cluster.untilWhole();

  const leader = await cluster.leader();
  note('etcd of the leader lost', await awayMs(() => cluster.killEtcd(leader), etcdAwayMs));
  cluster.startEtcd(leader);
  await cluster.untilWhole();
  const killEtcds = async () => {
    for (const machine of machines) await cluster.killEtcd(machine);
  };
  note('all of etcd lost', await awayMs(killEtcds, etcdAwayMs));
  for (const machine of machines) cluster.startEtcd(machine);
  await cluster.untilWhole();

  const standby = await cluster.synchronousStandby();
  note('synchronous standby killed', await awayMs(() => cluster.killMachine(standby)));
  cluster.deleteData(standby);
  cluster.startMachine(standby);
  await cluster.untilWhole();

  const last = await load.end();
  await untilRecorded({ host, receiver }, last);
  const lost = await lostWrites({ host, token, load });
  const outOfOrder = messagesOutOfOrder(receiver.messages);
  const seconds = (ms: readonly number[]) =>
    ms
      .toSorted((one, other) => one - other)
      .map((each) => (each / 1_000).toFixed(1))
      .join(' ');
  report({
    'writes accepted': load.accepted.length,
    messages: receiver.messages.length,
    lost: lost.length,
    'out of order': outOfOrder.length,
    'answers 503': load.refusals.length,
    ...Object.fromEntries(
      Object.entries(away).map(([fault, ms]) => [`${fault}, s without writes`, seconds(ms)]),
    ),
  });
  expect(lost).toEqual([]);
  expect(outOfOrder).toEqual([]);
  expect(receiver.messages.filter(({ alongside }) => alongside > 0)).toEqual([]);
  expectOnlyUnavailable(load);
  for (const state of ['dead', 'held', 'cancelled'])
    expect(await fleet.all(`/v1/admin/deliveries?state=${state}&`)).toEqual([]);
  for (const each of fleet.hosts) expect(await each.stop()).toBe(0);
}, 3_600_000);
