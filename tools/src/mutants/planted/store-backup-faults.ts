import type { PlantedFault } from './planted-fault.ts';

const rotation = 'packages/store/src/encryption/rotate-keys.ts';
const sealed = 'packages/store/src/backups/sealed-file.ts';
const writing = 'packages/store/src/backups/write-backup.ts';
const restoring = 'packages/store/src/backups/restore-backup.ts';

/** Slips around the rotation of keys, backups and restores. */
export const storeBackupFaults: readonly PlantedFault[] = [
  {
    title: 'a rotation overwrites what a host has written meanwhile',
    file: rotation,
    find: 'row(${sql.join(key)}) and ${value} = ${encrypted} and',
    replace: 'row(${sql.join(key)}) and',
    noticedBy: ['encryption/rotate-keys'],
  },
  {
    title: 'the uses of keys are believed, not counted',
    file: rotation,
    find: 'const uses = await countKeyUses(database);',
    replace: 'const uses = [{ keyId: encryption.currentKeyId, values: reencrypted }];',
    noticedBy: ['encryption/rotate-keys'],
  },
  {
    title: 'the last chunk of a backup is sealed like the others',
    file: sealed,
    find: 'nonce[11] = isLast ? 1 : 0;',
    replace: 'nonce[11] = 0;',
    noticedBy: ['backups/sealed-file'],
  },
  {
    title: 'the chunks of a backup can change places',
    file: sealed,
    find: 'nonce.writeBigUInt64BE(BigInt(number), 3);',
    replace: 'nonce.writeBigUInt64BE(0n, 3);',
    noticedBy: ['backups/sealed-file'],
  },
  {
    title: 'the tables of a backup are of several moments',
    file: writing,
    find: ".setIsolationLevel('repeatable read')",
    replace: ".setIsolationLevel('read committed')",
    noticedBy: ['backups/backup'],
  },
  {
    title: 'a backup can be read by everyone on the machine',
    file: writing,
    find: "flags: 'wx', mode: 0o600",
    replace: "flags: 'wx', mode: 0o644",
    noticedBy: ['backups/backup'],
  },
  {
    title: 'what was written of a backup that failed is left',
    file: writing,
    find: 'await rm(unfinished, { force: true });',
    replace: '',
    noticedBy: ['backups/backup'],
  },
  {
    title: 'a restore adds to what is there',
    file: restoring,
    find: 'await requireEmptySchema(database);',
    replace: '',
    noticedBy: ['backups/backup'],
  },
  {
    title: 'after a restore, sequences begin anew',
    file: restoring,
    find: 'await setSequences(transaction, manifest);',
    replace: '',
    noticedBy: ['backups/backup'],
  },
  {
    title: 'after a restore, readers of changes go on from positions of the former database',
    file: restoring,
    find: 'await forgetChangeClock(transaction);',
    replace: '',
    noticedBy: ['backups/backup'],
  },
  {
    title: 'after a restore, the audit log can be changed',
    file: restoring,
    find: "await setTriggers('enable', name)",
    replace: "await setTriggers('disable', name)",
    noticedBy: ['backups/backup'],
  },
];
