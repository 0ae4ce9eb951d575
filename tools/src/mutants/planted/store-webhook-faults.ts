import type { PlantedFault } from './planted-fault.ts';

/** Slips around webhooks and their signing secrets. */
export const storeWebhookFaults: readonly PlantedFault[] = [
  {
    title: 'a former signing secret is valid for ever',
    file: 'packages/store/src/webhooks/signing-secrets.ts',
    find: "    update webhook_secret set expires_at = least(expires_at, now() + ${formerValidHours} * interval '1 hour')",
    replace:
      "    update webhook_secret set expires_at = least(expires_at, now() + ${formerValidHours} * interval '1 year')",
    noticedBy: ['webhooks'],
  },
  {
    title: 'a former signing secret is valid for 24 minutes',
    file: 'packages/store/src/webhooks/signing-secrets.ts',
    find: "interval '1 hour'",
    replace: "interval '1 minute'",
    noticedBy: ['webhooks'],
  },
  {
    title: 'a rotation lengthens what former signing secrets have left',
    file: 'packages/store/src/webhooks/signing-secrets.ts',
    find: 'least(expires_at, now()',
    replace: 'coalesce(now()',
    noticedBy: ['webhooks'],
  },
  {
    title: 'a signing secret that has ended still signs',
    file: 'packages/store/src/webhooks/signing-secrets.ts',
    find: "where('expires_at', '>', sql<Date>`now()`)",
    replace: "where('expires_at', 'is not', null)",
    noticedBy: ['webhooks'],
  },
  {
    title: 'the oldest signing secret comes first',
    file: 'packages/store/src/webhooks/signing-secrets.ts',
    find: "orderBy('id', 'desc')",
    replace: "orderBy('id', 'asc')",
    noticedBy: ['webhooks'],
  },
  {
    title: "a webhook is signed with another one's secrets",
    file: 'packages/store/src/webhooks/signing-secrets.ts',
    find: 'secrets.filter((secret) => secret.webhook_id === row.id)',
    replace: "secrets.filter((secret) => secret.webhook_id !== '')",
    noticedBy: ['webhooks'],
  },
  {
    title: "a pool sees another pool's webhook",
    file: 'packages/store/src/webhooks/webhooks.ts',
    find: "database.selectFrom('webhook').selectAll().where('pool', '=', pool).where('id', '=', id)",
    replace: "database.selectFrom('webhook').selectAll().where('pool', '<>', '').where('id', '=', id)",
    noticedBy: ['webhooks'],
  },
  {
    title: "a pool can remove another pool's webhook",
    file: 'packages/store/src/webhooks/webhooks.ts',
    find: "          .where('pool', '=', pool)\n          .where('id', '=', id)\n          .returning('destination_id')",
    replace: "          .where('id', '=', id)\n          .returning('destination_id')",
    noticedBy: ['webhooks'],
  },
  {
    title: "a pool can rotate another pool's secret",
    file: 'packages/store/src/webhooks/webhooks.ts',
    find: "          .where('pool', '=', pool)\n          .where('id', '=', id)\n          .returning('id')",
    replace: "          .where('id', '=', id)\n          .returning('id')",
    noticedBy: ['webhooks'],
  },
  {
    title: "a pool can change another pool's webhook",
    file: 'packages/store/src/webhooks/update-webhook.ts',
    find: "    .where('pool', '=', pool)\n",
    replace: '',
    noticedBy: ['webhooks'],
  },
  {
    title: 'a webhook that was removed leaves its destination open',
    file: 'packages/store/src/webhooks/webhooks.ts',
    find: '        await closeDestination(transaction, row.destination_id);\n',
    replace: '',
    noticedBy: ['webhooks'],
  },
  {
    title: 'signing that is switched off goes on',
    file: 'packages/store/src/webhooks/update-webhook.ts',
    find: 'if (signing === false)',
    replace: "if (signing === undefined && url === '')",
    noticedBy: ['webhooks'],
  },
  {
    title: 'switching signing on again makes a second secret',
    file: 'packages/store/src/webhooks/update-webhook.ts',
    find: 'signing === true && before?.signingSecrets.length === 0',
    replace: 'signing === true',
    noticedBy: ['webhooks'],
  },
  {
    title: 'the list of webhooks holds those of every pool',
    file: 'packages/store/src/webhooks/webhooks.ts',
    find: "        .where('pool', '=', pool)\n        .orderBy('id')",
    replace: "        .orderBy('id')",
    noticedBy: ['webhooks'],
  },
];
