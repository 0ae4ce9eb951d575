import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { dataOf, webhooksQuery } from '../../api/queries.ts';
import type { Webhook } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Empty, Loading, Notice, ProblemNotice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { useChange } from '../../components/use-change.ts';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { AddWebhook } from './add-webhook.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import styles from './pools.module.css';
import { VerifyDialog } from './verify-dialog.tsx';

/** The endpoints that a pool's guest records are sent to. */
export function Webhooks({ pool }: { readonly pool: string }) {
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery(pool));
  const { may } = useSession();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Card
      title={texts.webhooks.title}
      isFlush
      actions={
        may('operator') ? (
          <Button size="small" onClick={() => setIsAdding(true)}>
            {texts.webhooks.add}
          </Button>
        ) : undefined
      }
    >
      {error === null ? null : <ProblemNotice error={error} retry={() => void refetch()} />}
      {webhooks === undefined && error === null ? <Loading /> : null}
      {webhooks?.length === 0 ? <Empty title={texts.webhooks.none}>{texts.webhooks.noneHint}</Empty> : null}
      <ul className={styles.items}>
        {webhooks?.map((webhook) => (
          <WebhookItem key={webhook.id} pool={pool} webhook={webhook} />
        ))}
      </ul>
      <AddWebhook isOpen={isAdding} onClose={() => setIsAdding(false)} pool={pool} />
    </Card>
  );
}

interface ItemProps {
  readonly pool: string;
  readonly webhook: Webhook;
}

function WebhookItem({ pool, webhook }: ItemProps) {
  const { id, url, auth, signing, properties } = webhook;
  const { may } = useSession();
  const [isEditing, setIsEditing] = useState(false);
  const [isVerifying, setIsVerifying] = useState(false);
  const [newSecret, setNewSecret] = useState<string>();
  const path = { pool, id };
  const test = useMutation({
    mutationFn: () => dataOf(api.POST('/v1/admin/pools/{pool}/webhooks/{id}/test', { params: { path } })),
  });
  const remove = useChange({
    change: () => api.DELETE('/v1/admin/pools/{pool}/webhooks/{id}', { params: { path } }),
    queryKey: webhooksQuery(pool).queryKey,
    done: texts.webhooks.removed,
  });
  const rotate = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/v1/admin/pools/{pool}/webhooks/{id}/rotate-secret', { params: { path } })),
    onSuccess: ({ signingSecret }) => setNewSecret(signingSecret),
  });
  // Neither a test of the former address nor a secret that is deleted may stand beside what is shown now.
  const dropOutdated = (changed: Webhook) => {
    test.reset();
    if (!changed.signing) setNewSecret(undefined);
  };
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <span className={styles.title}>
          {url}
          {signing ? <Badge tone="good">{texts.webhooks.signed}</Badge> : null}
        </span>
        {may('operator') ? (
          <span className={styles.actions}>
            <Button size="small" aria-label={texts.webhooks.editOf(url)} onClick={() => setIsEditing(true)}>
              {texts.webhooks.edit}
            </Button>
            {signing ? (
              <Button size="small" onClick={() => setIsVerifying(true)}>
                {texts.webhooks.verify}
              </Button>
            ) : null}
            <Button size="small" isBusy={test.isPending} onClick={() => test.mutate()}>
              {texts.actions.test}
            </Button>
            {signing ? (
              <ConfirmButton
                label={texts.webhooks.rotate}
                size="small"
                title={texts.webhooks.rotate}
                lead={texts.webhooks.rotateLead}
                confirm={texts.webhooks.rotate}
                action={rotate}
              />
            ) : null}
            <ConfirmButton
              label={texts.actions.remove}
              size="small"
              title={texts.webhooks.removeTitle}
              lead={texts.webhooks.removeLead}
              confirm={texts.actions.remove}
              isDangerous
              action={remove}
            />
          </span>
        ) : null}
      </div>
      <Facts
        items={[
          [texts.webhooks.auth, texts.webhooks.authOf(auth)],
          [texts.webhooks.properties, properties.join(', ') || texts.installations.sharesNothing],
        ]}
      />
      {test.error === null ? null : <ProblemNotice error={test.error} />}
      {test.data === undefined ? null : <TestResult {...test.data} />}
      {newSecret === undefined ? null : <SecretOnce secret={newSecret} label={texts.webhooks.secret} />}
      {isEditing ? (
        <EditWebhook
          onClose={() => setIsEditing(false)}
          onChanged={dropOutdated}
          pool={pool}
          webhook={webhook}
        />
      ) : null}
      <VerifyDialog isOpen={isVerifying} onClose={() => setIsVerifying(false)} />
    </li>
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
