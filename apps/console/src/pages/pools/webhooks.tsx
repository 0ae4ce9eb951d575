import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { webhooksQuery } from '../../api/queries.ts';
import type { Webhook } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { Item } from '../../components/item.tsx';
import { ListCard } from '../../components/loaded.tsx';
import { Notice, ProblemNotice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { AddWebhook } from './add-webhook.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { VerifyDialog } from './verify-dialog.tsx';

export function Webhooks({ pool }: { readonly pool: string }) {
  const webhooks = useQuery(webhooksQuery(pool));
  const { may } = useSession();
  return (
    <ListCard
      title={texts.webhooks.title}
      actions={may('operator') ? <AddWebhook pool={pool} /> : undefined}
      query={webhooks}
      none={texts.webhooks.none}
      noneHint={texts.webhooks.noneHint}
      item={(webhook) => <WebhookItem key={webhook.id} pool={pool} webhook={webhook} />}
    />
  );
}

interface ItemProps {
  readonly pool: string;
  readonly webhook: Webhook;
}

function WebhookItem({ pool, webhook }: ItemProps) {
  const { id, url, auth, signing, properties } = webhook;
  const [newSecret, setNewSecret] = useState<string>();
  const path = { pool, id };
  const test = useMutation({
    mutationFn: () => call('POST', '/v1/admin/pools/:pool/webhooks/:id/test', { params: path }),
  });
  const { queryKey } = webhooksQuery(pool);
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
            label={texts.webhooks.edit}
            size="small"
            aria-label={texts.webhooks.editOf(url)}
            dialog={(close) => (
              <EditWebhook onClose={close} onChanged={dropOutdated} pool={pool} webhook={webhook} />
            )}
          />
          {signing ? (
            <DialogButton
              label={texts.webhooks.verify}
              size="small"
              dialog={(close) => <VerifyDialog onClose={close} />}
            />
          ) : null}
          <Button size="small" isBusy={test.isPending} onClick={() => test.mutate()}>
            {texts.actions.test}
          </Button>
          {signing ? (
            <ConfirmButton
              label={texts.webhooks.rotate}
              size="small"
              lead={texts.webhooks.rotateLead}
              change={async () => {
                const { signingSecret } = await call(
                  'POST',
                  '/v1/admin/pools/:pool/webhooks/:id/rotate-secret',
                  { params: path },
                );
                setNewSecret(signingSecret);
              }}
              queryKey={queryKey}
            />
          ) : null}
          <ConfirmButton
            label={texts.actions.remove}
            size="small"
            title={texts.webhooks.removeTitle}
            lead={texts.webhooks.removeLead}
            isDangerous
            change={() => call('DELETE', '/v1/admin/pools/:pool/webhooks/:id', { params: path })}
            queryKey={queryKey}
            done={texts.webhooks.removed}
          />
        </>
      }
    >
      <Facts
        items={{
          [texts.webhooks.auth]: texts.webhooks.authOf(auth),
          [texts.webhooks.properties]: properties.join(', ') || texts.installations.sharesNothing,
        }}
      />
      <ProblemNotice error={test.error} />
      {test.data === undefined ? null : <TestResult {...test.data} />}
      {newSecret === undefined ? null : <SecretOnce secret={newSecret} label={texts.webhooks.secret} />}
    </Item>
  );
}

interface TestResultProps {
  readonly ok: boolean;
  readonly status?: number;
  readonly errorCode?: string;
}

function TestResult({ ok, status, errorCode }: TestResultProps) {
  return (
    <Notice tone={ok ? 'good' : 'bad'}>
      {ok ? texts.webhooks.testWorks : texts.webhooks.testFailed}{' '}
      {status === undefined ? texts.errorCodes(errorCode) : texts.delivery.status(status)}
    </Notice>
  );
}
