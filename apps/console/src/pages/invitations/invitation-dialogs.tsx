import { useMutation } from '@tanstack/react-query';
import { Fragment } from 'react';
import { call } from '../../api/client.ts';
import type { InvitationLanguage, Invitations } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { FormButton } from '../../components/dialog.tsx';
import { CheckField, ChoiceField, LongTextField, NumberField, TextField } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import styles from '../integration/integration.module.css';

const languageChoices = [
  ['en', 'English'],
  ['de', 'German'],
  ['es', 'Spanish'],
  ['fr', 'French'],
  ['cs', 'Czech'],
  ['ar', 'Arabic'],
] as const;

interface Words {
  readonly subject: string;
  readonly text: string;
}

interface WordsDraft {
  readonly language: InvitationLanguage;
  readonly all: Readonly<Record<InvitationLanguage, Words>>;
}

interface OfInvitations {
  readonly pool: string;
  readonly settings: Invitations;
}

const directionOf = (language: InvitationLanguage) => (language === 'ar' ? 'rtl' : 'ltr');

/** The texts that differ from the defaults; an emptied one reverts to its default. */
function changedOf({ all }: WordsDraft, { defaultTexts }: Invitations): Invitations['texts'] {
  const changed = languageChoices.flatMap(([language]) => {
    const initial = defaultTexts[language];
    const subject = all[language].subject.trim() || initial.subject;
    const text = all[language].text.trim() || initial.text;
    return subject === initial.subject && text === initial.text ? [] : [[language, { subject, text }]];
  });
  return Object.fromEntries(changed);
}

export function InvitationWords({ pool, settings }: OfInvitations) {
  const { defaultTexts } = settings;
  return (
    <FormButton<WordsDraft, Invitations>
      size="small"
      label="Texts"
      title="Texts"
      submitLabel={texts.actions.save}
      lead="Placeholders: {name}, {activity}, {date}, {time}, {operator}, and {link}, which the text must contain. An empty text returns to the default."
      initialDraft={{ language: settings.language ?? 'en', all: { ...defaultTexts, ...settings.texts } }}
      submit={(draft) =>
        call('PUT', '/v1/admin/pools/:pool/invitations', {
          params: { pool },
          body: { texts: changedOf(draft, settings) },
        })
      }
      done="Saved"
    >
      {({ draft: { language, all }, field }) => {
        const words = all[language];
        const { onChange } = field('all');
        const change = (changes: Partial<Words>) =>
          onChange({ ...all, [language]: { ...words, ...changes } });
        const errorOf = (name: string) => field('all', `texts.${language}.${name}`).error;
        return (
          <>
            <ChoiceField label="Language" choices={languageChoices} {...field('language')} />
            <TextField
              label="Subject"
              maxLength={150}
              dir={directionOf(language)}
              lang={language}
              value={words.subject}
              placeholder={defaultTexts[language].subject}
              error={errorOf('subject')}
              onChange={(subject) => change({ subject })}
            />
            <LongTextField
              label="Text"
              rows={12}
              maxLength={4_000}
              dir={directionOf(language)}
              lang={language}
              value={words.text}
              placeholder={defaultTexts[language].text}
              error={errorOf('text')}
              onChange={(text) => change({ text })}
            />
            <Preview pool={pool} language={language} words={words} senderName={settings.senderName} />
          </>
        );
      }}
    </FormButton>
  );
}

interface PreviewProps {
  readonly pool: string;
  readonly language: InvitationLanguage;
  readonly words: Words;
  readonly senderName: string | null;
}

function Preview({ pool, language, words, senderName }: PreviewProps) {
  const { subject, text } = words;
  const preview = useMutation({
    mutationFn: async () => ({
      language,
      ...(await call('POST', '/v1/admin/pools/:pool/invitations/preview', {
        params: { pool },
        body: {
          language,
          senderName,
          ...(subject.trim() === '' ? {} : { subject }),
          ...(text.trim() === '' ? {} : { text }),
        },
      })),
    }),
  });
  return (
    <>
      <p>
        <Button size="small" isBusy={preview.isPending} onClick={() => preview.mutate()}>
          Preview
        </Button>
      </p>
      <ProblemNotice error={preview.error} />
      {preview.data === undefined ? null : (
        <div
          className={styles.preview}
          role="status"
          lang={preview.data.language}
          dir={directionOf(preview.data.language)}
        >
          <strong>{preview.data.subject}</strong>
          <p className={styles.text}>{preview.data.text}</p>
        </div>
      )}
    </>
  );
}

function draftOf({ enabled, occasions, senderName, replyTo, language, quietHours }: Invitations) {
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
    language: language ?? ('' as const),
    useQuiet: quietHours !== null,
    from: quietHours?.from ?? 21,
    until: quietHours?.until ?? 8,
  };
}

type Shown = ReturnType<typeof draftOf>;
/** The settings as typed so far: a number's field may be empty. */
type Draft = {
  readonly [Name in keyof Shown]: Shown[Name] extends number ? number | undefined : Shown[Name];
};

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

/** When guests are asked: what switches an occasion on, and its numbers with their limits. */
const occasionFields = [
  [
    'useDaysBefore',
    'Some days before',
    [
      ['days', 'Days', 2, 14, 'occasions.daysBefore.days'],
      ['daysHour', 'Hour', 0, 23, 'occasions.daysBefore.hour'],
    ],
  ],
  ['useEvening', 'The evening before', [['eveningHour', 'Hour', 12, 23, 'occasions.eveningBefore.hour']]],
  ['useMorning', 'The morning of the visit', [['morningHour', 'Hour', 0, 11, 'occasions.morningOf.hour']]],
] as const;

export function ChangeInvitations({ pool, settings }: OfInvitations) {
  return (
    <FormButton<Draft, Invitations>
      size="small"
      label="Change"
      title="E-mail to guests"
      submitLabel={texts.actions.save}
      initialDraft={draftOf(settings)}
      submit={(draft) =>
        call('PUT', '/v1/admin/pools/:pool/invitations', { params: { pool }, body: bodyOf(draft) })
      }
      done="Saved"
    >
      {({ draft, field }) => (
        <>
          <CheckField
            label="Ask guests to sign"
            hint="When you switch it on, guests of upcoming bookings whose time has come receive a message at once."
            {...field('enabled')}
          />
          {occasionFields.map(([use, label, numbers]) => (
            <Fragment key={use}>
              <CheckField label={label} {...field(use)} />
              {draft[use]
                ? numbers.map(([name, unit, min, max, path]) => (
                    <NumberField key={name} label={unit} min={min} max={max} {...field(name, path)} />
                  ))
                : null}
            </Fragment>
          ))}
          <TextField
            label="Sender name"
            hint="Leave empty for the pool’s name. The address is ALERT_FROM."
            maxLength={70}
            {...field('senderName')}
          />
          <TextField
            label="Replies go to"
            hint="Leave empty for ALERT_FROM."
            type="email"
            maxLength={254}
            {...field('replyTo')}
          />
          <ChoiceField
            label="Language"
            hint="For guests whose language is not in the booking."
            choices={[['', 'The first of the form'] as const, ...languageChoices]}
            {...field('language')}
          />
          <CheckField
            label="Quiet hours"
            hint="Nothing is sent during these hours. What is due is sent afterwards."
            {...field('useQuiet')}
          />
          {draft.useQuiet ? (
            <>
              <NumberField label="From" min={0} max={23} {...field('from', 'quietHours.from')} />
              <NumberField label="Until" min={0} max={23} {...field('until', 'quietHours.until')} />
            </>
          ) : null}
        </>
      )}
    </FormButton>
  );
}
