import { api } from '../../api/client.ts';
import { alertsQuery, dataOf } from '../../api/queries.ts';
import { type AlertEvent, alertEvents } from '../../api/resources.ts';
import { type AuthDraft, AuthFields, authOf, emptyAuth } from '../../components/auth-fields.tsx';
import { CheckList } from '../../components/check-list.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { texts } from '../../text/english.ts';

type Way = 'webhook' | 'email';

interface Draft extends AuthDraft {
  readonly name: string;
  readonly way: Way;
  readonly url: string;
  readonly email: string;
  readonly events: readonly AlertEvent[];
  readonly pools: string;
}

const emptyDraft: Draft = {
  ...emptyAuth,
  name: '',
  way: 'webhook',
  url: 'https://',
  email: '',
  events: alertEvents,
  pools: '',
};

function bodyOf(draft: Draft) {
  const pools = wordsOf(draft.pools);
  return {
    name: draft.name.trim(),
    events: [...draft.events],
    ...(pools.length === 0 ? {} : { pools }),
    ...(draft.way === 'email'
      ? { email: draft.email.trim() }
      : { url: draft.url.trim(), auth: authOf(draft), signing: true }),
  };
}

interface AddAlertProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes an alert, and shows its signing secret this once. */
export function AddAlert({ isOpen, onClose }: AddAlertProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={texts.alerts.add}
      initialDraft={emptyDraft}
      submit={(draft) => dataOf(api.POST('/v1/admin/alerts', { body: bodyOf(draft) }))}
      queryKey={alertsQuery.queryKey}
      result={({ signingSecret }) => (
        <>
          <Notice tone="good">{texts.alerts.added}</Notice>
          {signingSecret === undefined ? null : (
            <SecretOnce secret={signingSecret} label={texts.webhooks.secret} />
          )}
        </>
      )}
    >
      {({ draft, change, errorOf }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint={texts.alerts.nameHint}
            required
            maxLength={200}
            value={draft.name}
            onChange={(name) => change({ name })}
            error={errorOf('name')}
          />
          <ChoiceField
            label={texts.alerts.way}
            value={draft.way}
            choices={(['webhook', 'email'] as const).map((way) => [way, texts.alerts.ways[way]] as const)}
            onChange={(way) => change({ way })}
          />
          {draft.way === 'email' ? (
            <TextField
              label={texts.alerts.email}
              type="email"
              required
              value={draft.email}
              onChange={(email) => change({ email })}
              error={errorOf('email')}
            />
          ) : (
            <>
              <TextField
                label={texts.webhooks.url}
                type="url"
                required
                value={draft.url}
                onChange={(url) => change({ url })}
                error={errorOf('url')}
              />
              <AuthFields draft={draft} change={change} errorOf={errorOf} />
            </>
          )}
          <CheckList
            label={texts.alerts.events}
            choices={alertEvents.map((event) => [event, texts.alertEvents[event]] as const)}
            chosen={draft.events}
            onChange={(events) => change({ events })}
          />
          <TextField
            label={texts.pages.pools}
            hint={texts.alerts.poolsHint}
            value={draft.pools}
            onChange={(pools) => change({ pools })}
            error={errorOf('pools') ?? errorOf('pools[0]')}
          />
        </>
      )}
    </FormDialog>
  );
}
