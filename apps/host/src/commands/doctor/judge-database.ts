import type { DatabaseExamination } from '@waiver-service/operations/data';
import { inBytes } from '../command-output.ts';

export interface Finding {
  /** A short name, stable for programs: `database`, `clock`. */
  readonly check: string;
  /** Only a `problem` fails the check; a `note` is for a person to judge. */
  readonly status: 'ok' | 'note' | 'problem';
  readonly message: string;
}

type Say = (check: string, message: string) => Finding;

export const ok: Say = (check, message) => ({ check, status: 'ok', message });
export const note: Say = (check, message) => ({ check, status: 'note', message });
export const problem: Say = (check, message) => ({ check, status: 'problem', message });

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

// Half of the clock skew that receivers of signed requests tolerate.
const maxClockSkewMs = 150_000;
const notableClockSkewMs = 2_000;
// Migrations and backups may take this long; a forgotten transaction takes longer.
const maxTransactionMs = 2 * hour;
// PostgreSQL forces vacuums from two hundred million, and stops at two billion.
const maxFrozenAge = 1_000_000_000;
const maxOverdueMs = 5 * minute;
const oldBackupMs = 8 * day;

/** A span of time in its largest unit. */
export function inWords(ms: number): string {
  const units = [
    ['day', day],
    ['hour', hour],
    ['minute', minute],
    ['second', 1_000],
  ] as const;
  const [unit, length] = units.find(([, size]) => ms >= size) ?? ['second', 1_000];
  const count = Math.floor(ms / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function judgeMigrations({ missingMigrations, unknownMigrations, tooOld }: DatabaseExamination): Finding {
  if (tooOld !== undefined) return problem('migrations', `This version is too old: ${tooOld}.`);
  if (missingMigrations.length > 0) {
    return problem(
      'migrations',
      `The database lacks ${missingMigrations.join(', ')}: start a host of this version, which migrates it. Its contents were not checked.`,
    );
  }
  if (unknownMigrations.length > 0) {
    return note(
      'migrations',
      `A newer version has migrated the database (it has ${unknownMigrations.join(', ')}); hosts of this version can go on.`,
    );
  }
  return ok('migrations', 'The database has every migration of this version.');
}

function judgeClock({ clockAheadMs, clockDoubtMs }: DatabaseExamination['server']): Finding {
  const skew = Math.max(0, Math.abs(clockAheadMs) - clockDoubtMs);
  const direction = clockAheadMs > 0 ? 'behind' : 'ahead of';
  if (skew < notableClockSkewMs)
    return ok(
      'clock',
      `The clocks of this machine and of the database agree within ${inWords(notableClockSkewMs)}.`,
    );
  const message = `The clock of this machine is ${inWords(skew)} ${direction} the database's: synchronize both (NTP), since signatures and sign-ins carry the time.`;
  return skew < maxClockSkewMs ? note('clock', message) : problem('clock', message);
}

function judgeDurability({ settings }: DatabaseExamination['server']): Finding[] {
  const lossy = ['fsync', 'full_page_writes', 'synchronous_commit'].filter(
    (name) => settings[name] === 'off',
  );
  const durability =
    lossy.length === 0
      ? ok('durability', 'PostgreSQL acknowledges a commit once it is on disk.')
      : problem(
          'durability',
          `PostgreSQL has ${lossy.join(' and ')} off: waivers that were acknowledged can be lost in a crash. Turn it on.`,
        );
  const standbys = settings.synchronous_standby_names ?? '';
  const replication =
    settings.wal_level === 'minimal'
      ? note('replication', 'wal_level is minimal: there can be no standby and no point-in-time recovery.')
      : ok(
          'replication',
          standbys === ''
            ? `wal_level is ${settings.wal_level}; no standby is synchronous.`
            : `wal_level is ${settings.wal_level}; synchronous standbys: ${standbys}.`,
        );
  return [durability, replication];
}

function judgeVacuum({
  settings,
  oldestTransactionMs,
  oldestFrozenAge,
  idleSlots,
  seesTransactions,
}: DatabaseExamination['server']) {
  if (settings.autovacuum === 'off')
    return problem(
      'vacuum',
      'autovacuum is off: tables grow without end, and PostgreSQL will stop. Turn it on.',
    );
  if (oldestFrozenAge > maxFrozenAge) {
    return problem(
      'vacuum',
      `The oldest rows are ${oldestFrozenAge.toLocaleString('en')} transactions old, and PostgreSQL stops at two thousand million: find what keeps autovacuum from its work.`,
    );
  }
  if (idleSlots.length > 0) {
    return problem(
      'vacuum',
      `No standby reads the replication slots ${idleSlots.join(', ')}, and PostgreSQL keeps its log for them until the disk is full: start their standbys, or drop them (select pg_drop_replication_slot(…)).`,
    );
  }
  if (oldestTransactionMs > maxTransactionMs) {
    return problem(
      'vacuum',
      `A transaction has been open for ${inWords(oldestTransactionMs)}, and no row deleted since can be removed: see pg_stat_activity.`,
    );
  }
  return ok(
    'vacuum',
    seesTransactions
      ? 'autovacuum runs, and nothing keeps it from removing old rows.'
      : 'autovacuum runs. The transactions of other users cannot be seen (GRANT pg_read_all_stats TO the user).',
  );
}

function judgeConnections({ connections, maxConnections }: DatabaseExamination['server']): Finding {
  const message = `${connections} of ${maxConnections} connections are in use.`;
  return connections > maxConnections * 0.9
    ? problem('connections', `${message} Raise max_connections, or run fewer hosts.`)
    : ok('connections', message);
}

type Content = Exclude<DatabaseExamination['content'], undefined>;

function judgeKeys({ keyUses, lostSecrets, openedSecrets }: Content, keyIds: readonly string[]): Finding {
  const [currentKey = ''] = keyIds;
  const [first] = lostSecrets;
  if (first !== undefined) {
    return problem(
      'keys',
      `${lostSecrets.length} secrets cannot be read, the first is ${first.where}: ${first.reason}. Put the missing key at the end of ENCRYPTION_KEYS.`,
    );
  }
  const former = keyUses.filter(({ keyId, values }) => keyId !== currentKey && values > 0);
  if (former.length === 0)
    return ok(
      'keys',
      `All ${openedSecrets} secrets that were tried open, and "${currentKey}" encrypts all there are.`,
    );
  const formerKeys = former.map(({ keyId, values }) => `"${keyId}" (${values})`).join(', ');
  return note(
    'keys',
    `All ${openedSecrets} secrets that were tried open; former keys still encrypt some: ${formerKeys}. waiver-service keys rotate re-encrypts them.`,
  );
}

function judgeBackup({ lastBackup }: Content, now: Date): Finding {
  if (lastBackup === undefined)
    return note(
      'backup',
      'This database was never backed up with waiver-service backup; other backups are not known here.',
    );
  const age = Math.max(0, now.getTime() - lastBackup.takenAt.getTime());
  const message = `The last backup by waiver-service backup is ${inWords(age)} old; the key "${lastBackup.keyId}" opens it.`;
  return age > oldBackupMs ? note('backup', message) : ok('backup', message);
}

function judgeSending({ sending }: Content): Finding {
  const { dispatchers, pending, overdueMs = 0, pausedDestinations } = sending;
  const waiting = `${pending.toLocaleString('en')} ${pending === 1 ? 'message waits' : 'messages wait'}`;
  const paused = pausedDestinations === 0 ? '' : ` ${pausedDestinations} destinations are paused.`;
  if (overdueMs > maxOverdueMs) {
    const reason =
      dispatchers === 0 ? 'no host is sending: start one' : `${dispatchers} are sending: see their log`;
    return problem(
      'sending',
      `${waiting}, the oldest has been due for ${inWords(overdueMs)}, and ${reason}.${paused}`,
    );
  }
  if (dispatchers === 0) return note('sending', `No host is sending; ${waiting}.${paused}`);
  const message = `${dispatchers} ${dispatchers === 1 ? 'host is' : 'hosts are'} sending; ${waiting}.${paused}`;
  return paused === '' ? ok('sending', message) : note('sending', message);
}

/** The findings about an examined database. */
export function judgeDatabase(
  examination: DatabaseExamination,
  keyIds: readonly string[],
  now: Date,
): Finding[] {
  const { server, content } = examination;
  const { unsuitable } = server;
  const version = `PostgreSQL ${server.version}, ${inBytes(server.databaseBytes)}`;
  return [
    server.isReadOnly
      ? problem(
          'database',
          `The database answers (${version}) and is read-only: name the primary, or reset default_transaction_read_only.`,
        )
      : ok('database', `The database answers (${version}).`),
    ...(unsuitable === undefined ? [] : [problem('database', `The service cannot use it: ${unsuitable}.`)]),
    judgeMigrations(examination),
    judgeClock(server),
    ...judgeDurability(server),
    judgeVacuum(server),
    judgeConnections(server),
    ...(content === undefined
      ? []
      : [judgeKeys(content, keyIds), judgeBackup(content, now), judgeSending(content)]),
  ];
}
