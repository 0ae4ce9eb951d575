import { call } from '../../api/client.ts';
import { poolsQuery } from '../../api/queries.ts';
import type { Pool } from '../../api/resources.ts';
import { Card } from '../../components/card.tsx';
import { TextField } from '../../components/field.tsx';
import { FormButton } from '../../components/form-dialog.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';

export function Retention({ pool }: { readonly pool: Pool }) {
  const { may } = useSession();
  return (
    <Card title={texts.retention.title} actions={may('operator') ? <ChangeRetention pool={pool} /> : null}>
      <p>{texts.retention.of(pool.retention.waiversDays)}</p>
    </Card>
  );
}

function ChangeRetention({ pool: { id, name, retention } }: { readonly pool: Pool }) {
  return (
    <FormButton
      label={texts.retention.change}
      title={texts.retention.title}
      submitLabel={texts.actions.save}
      lead={texts.retention.lead}
      initialDraft={{ days: retention.waiversDays?.toString() ?? '' }}
      submit={({ days }) =>
        call('PUT', '/v1/admin/pools/:pool', {
          params: { pool: id },
          body: { name, retention: { waiversDays: days === '' ? null : Number(days) } },
        })
      }
      queryKey={poolsQuery.queryKey}
      done={texts.retention.changed}
    >
      {({ field }) => (
        <TextField
          label={texts.retention.days}
          hint={texts.retention.daysHint}
          type="number"
          min={1}
          max={36_500}
          step={1}
          {...field('days', 'retention.waiversDays')}
        />
      )}
    </FormButton>
  );
}
