import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { webhooksQuery } from '../../api/queries.ts';
import type { Webhook } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { SecretOnce } from '../../components/copyable.tsx';
import { ConfirmButton, DialogButton } from '../../components/dialog.tsx';
import { Facts, Item, ListCard } from '../../components/layout.tsx';
import { Badge, Notice, ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { AddWebhook, EditWebhook, VerifyDialog } from './webhook-dialogs.tsx';

export function Webhooks({ pool }: { readonly pool: string }) {
  return (
    <ListCard
      title="Webhooks"
      actions={<AddWebhook pool={pool} />}
      query={webhooksQuery(pool)}
      none="No webhooks"
      noneHint="Add one to send each change of a guest’s record to your own program."
      item={(webhook) => <WebhookItem key={webhook.id} pool={pool} webhook={webhook} />}
    />
  );
}

function WebhookItem({ pool, webhook }: { readonly pool: string; readonly webhook: Webhook }) {
  const { id, url, auth, signing, properties } = webhook;
  const [newSecret, setNewSecret] = useState<string>();
  const path = { pool, id };
  const test = useMutation({
    mutationFn: () => call('POST', '/v1/admin/pools/:pool/webhooks/:id/test', { params: path }),
  });
  // Clear a test result of the previous URL, and a secret that was deleted.
  const dropOutdated = (changed: Webhook) => {
    test.reset();
    if (!changed.signing) setNewSecret(undefined);
  };
  return (
    <Item
      title={
        <>
          {url}
          {signing ? <Badge tone="good">{texts.webhooks.signed}</Badge> : null}
        </>
      }
      actions={
        <>
          <DialogButton
            label="Edit"
            size="small"
            aria-label={`Edit ${url}`}
            dialog={(close) => (
              <EditWebhook onClose={close} onChanged={dropOutdated} pool={pool} webhook={webhook} />
            )}
          />
          {signing ? (
            <DialogButton label="Verify" size="small" dialog={(close) => <VerifyDialog onClose={close} />} />
          ) : null}
          <Button size="small" isBusy={test.isPending} onClick={() => test.mutate()}>
            {texts.actions.test}
          </Button>
          {signing ? (
            <ConfirmButton
              label="Rotate secret"
              size="small"
              lead="A new secret is shown once: give it to the receiver. For 24 hours, messages carry the signatures of both secrets. Then the previous one expires."
              change={async () => {
                const { signingSecret } = await call(
                  'POST',
                  '/v1/admin/pools/:pool/webhooks/:id/rotate-secret',
                  { params: path },
                );
                setNewSecret(signingSecret);
              }}
            />
          ) : null}
          <ConfirmButton
            label={texts.actions.remove}
            size="small"
            title="Remove this webhook?"
            lead="Nothing more is sent to it, and waiting messages are cancelled."
            isDangerous
            change={() => call('DELETE', '/v1/admin/pools/:pool/webhooks/:id', { params: path })}
            done={texts.webhooks.removed}
          />
        </>
      }
    >
      <Facts
        items={{
          [texts.webhooks.auth]: texts.webhooks.authOf(auth),
          [texts.webhooks.properties]: properties.join(', ') || 'None',
        }}
      />
      <ProblemNotice error={test.error} />
      {test.data === undefined ? null : (
        <Notice tone={test.data.ok ? 'good' : 'bad'}>
          {`${test.data.ok ? 'Accepted' : 'Did not accept'} a sample guest record: ${texts.resultOf(test.data)}`}
        </Notice>
      )}
      {newSecret === undefined ? null : <SecretOnce secret={newSecret} label={texts.webhooks.secret} />}
    </Item>
  );
}
