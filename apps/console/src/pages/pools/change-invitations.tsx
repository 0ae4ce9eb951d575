import { call } from '../../api/client.ts';
import { invitationsQuery } from '../../api/queries.ts';
import type { InvitationLanguage, Invitations } from '../../api/resources.ts';
import { CheckField, ChoiceField, NumberField, TextField } from '../../components/field.tsx';
import { FormButton } from '../../components/form-dialog.tsx';
import { texts } from '../../text/english.ts';
import { invitationLanguages } from './invitation-words.tsx';

interface Draft {
  readonly enabled: boolean;
  readonly useDaysBefore: boolean;
  readonly days: number | undefined;
  readonly daysHour: number | undefined;
  readonly useEvening: boolean;
  readonly eveningHour: number | undefined;
  readonly useMorning: boolean;
  readonly morningHour: number | undefined;
  readonly senderName: string;
  readonly replyTo: string;
  readonly language: InvitationLanguage | '';
  readonly useQuiet: boolean;
  readonly from: number | undefined;
  readonly until: number | undefined;
}

function draftOf({ enabled, occasions, senderName, replyTo, language, quietHours }: Invitations): Draft {
  const { daysBefore, eveningBefore, morningOf } = occasions;
  return {
    enabled,
    useDaysBefore: daysBefore !== null,
    days: daysBefore?.days ?? 3,
    daysHour: daysBefore?.hour ?? 10,
    useEvening: eveningBefore !== null,
    eveningHour: eveningBefore?.hour ?? 18,
    useMorning: morningOf !== null,
    morningHour: morningOf?.hour ?? 8,
    senderName: senderName ?? '',
    replyTo: replyTo ?? '',
    language: language ?? '',
    useQuiet: quietHours !== null,
    from: quietHours?.from ?? 21,
    until: quietHours?.until ?? 8,
  };
}

// -1 for an emptied number, so that the host reports the error.
const given = (value: number | undefined) => value ?? -1;

function bodyOf(draft: Draft) {
  const { enabled, senderName, replyTo, language } = draft;
  return {
    enabled,
    occasions: {
      daysBefore: draft.useDaysBefore ? { days: given(draft.days), hour: given(draft.daysHour) } : null,
      eveningBefore: draft.useEvening ? { hour: given(draft.eveningHour) } : null,
      morningOf: draft.useMorning ? { hour: given(draft.morningHour) } : null,
    },
    senderName: senderName.trim() === '' ? null : senderName.trim(),
    replyTo: replyTo.trim() === '' ? null : replyTo.trim(),
    language: language === '' ? null : language,
    quietHours: draft.useQuiet ? { from: given(draft.from), until: given(draft.until) } : null,
  };
}

interface ChangeInvitationsProps {
  readonly pool: string;
  readonly settings: Invitations;
}

export function ChangeInvitations({ pool, settings }: ChangeInvitationsProps) {
  return (
    <FormButton
      size="small"
      label={texts.invitations.change}
      title={texts.invitations.settings}
      submitLabel={texts.actions.save}
      initialDraft={draftOf(settings)}
      submit={(draft) =>
        call('PUT', '/v1/admin/pools/:pool/invitations', { params: { pool }, body: bodyOf(draft) })
      }
      queryKey={invitationsQuery(pool).queryKey}
      done={texts.invitations.saved}
    >
      {({ draft, field }) => (
        <>
          <CheckField
            label={texts.invitations.enable}
            hint={texts.invitations.enableHint}
            {...field('enabled')}
          />
          <CheckField label={texts.invitations.useDaysBefore} {...field('useDaysBefore')} />
          {draft.useDaysBefore ? (
            <>
              <NumberField
                label={texts.invitations.days}
                min={2}
                max={14}
                {...field('days', 'occasions.daysBefore.days')}
              />
              <NumberField
                label={texts.invitations.hour}
                min={0}
                max={23}
                {...field('daysHour', 'occasions.daysBefore.hour')}
              />
            </>
          ) : null}
          <CheckField label={texts.invitations.useEvening} {...field('useEvening')} />
          {draft.useEvening ? (
            <NumberField
              label={texts.invitations.hour}
              min={12}
              max={23}
              {...field('eveningHour', 'occasions.eveningBefore.hour')}
            />
          ) : null}
          <CheckField label={texts.invitations.useMorning} {...field('useMorning')} />
          {draft.useMorning ? (
            <NumberField
              label={texts.invitations.hour}
              min={0}
              max={11}
              {...field('morningHour', 'occasions.morningOf.hour')}
            />
          ) : null}
          <TextField
            label={texts.invitations.sender}
            hint={texts.invitations.senderHint}
            maxLength={70}
            {...field('senderName')}
          />
          <TextField
            label={texts.invitations.replyTo}
            hint={texts.invitations.replyHint}
            type="email"
            maxLength={254}
            {...field('replyTo')}
          />
          <ChoiceField
            label={texts.invitations.language}
            hint={texts.invitations.languageHint}
            choices={[
              ['', texts.invitations.ofForm] as const,
              ...invitationLanguages.map((one) => [one, texts.invitations.languages[one]] as const),
            ]}
            {...field('language')}
          />
          <CheckField
            label={texts.invitations.useQuiet}
            hint={texts.invitations.quietHint}
            {...field('useQuiet')}
          />
          {draft.useQuiet ? (
            <>
              <NumberField
                label={texts.invitations.from}
                min={0}
                max={23}
                {...field('from', 'quietHours.from')}
              />
              <NumberField
                label={texts.invitations.until}
                min={0}
                max={23}
                {...field('until', 'quietHours.until')}
              />
            </>
          ) : null}
        </>
      )}
    </FormButton>
  );
}
