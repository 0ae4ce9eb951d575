import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { invitationsQuery } from '../../api/queries.ts';
import type { InvitationLanguage, Invitations } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceField, LongTextField, TextField } from '../../components/field.tsx';
import { FormButton } from '../../components/form-dialog.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import styles from './invitation-words.module.css';

export const invitationLanguages = ['en', 'de', 'es', 'fr', 'cs', 'ar'] as const;

interface Words {
  readonly subject: string;
  readonly text: string;
}

interface Draft {
  readonly language: InvitationLanguage;
  readonly all: Readonly<Record<InvitationLanguage, Words>>;
}

interface InvitationWordsProps {
  readonly pool: string;
  readonly settings: Invitations;
}

const directionOf = (language: InvitationLanguage) => (language === 'ar' ? 'rtl' : 'ltr');

/** The texts that differ from the defaults; an emptied one reverts to its default. */
function changedOf({ all }: Draft, { defaultTexts }: Invitations): Invitations['texts'] {
  const changed = invitationLanguages.flatMap((language) => {
    const initial = defaultTexts[language];
    const subject = all[language].subject.trim() || initial.subject;
    const text = all[language].text.trim() || initial.text;
    return subject === initial.subject && text === initial.text ? [] : [[language, { subject, text }]];
  });
  return Object.fromEntries(changed);
}

export function InvitationWords({ pool, settings }: InvitationWordsProps) {
  const { defaultTexts } = settings;
  return (
    <FormButton<Draft, Invitations>
      size="small"
      label={texts.invitations.words}
      title={texts.invitations.words}
      submitLabel={texts.actions.save}
      lead={texts.invitations.wordsLead}
      initialDraft={{ language: settings.language ?? 'en', all: { ...defaultTexts, ...settings.texts } }}
      submit={(draft) =>
        call('PUT', '/v1/admin/pools/:pool/invitations', {
          params: { pool },
          body: { texts: changedOf(draft, settings) },
        })
      }
      queryKey={invitationsQuery(pool).queryKey}
      done={texts.invitations.saved}
    >
      {({ draft: { language, all }, field }) => {
        const words = all[language];
        const { onChange } = field('all');
        const change = (changes: Partial<Words>) =>
          onChange({ ...all, [language]: { ...words, ...changes } });
        const errorOf = (name: string) => field('all', `texts.${language}.${name}`).error;
        return (
          <>
            <ChoiceField
              label={texts.invitations.language}
              choices={invitationLanguages.map((one) => [one, texts.invitations.languages[one]] as const)}
              {...field('language')}
            />
            <TextField
              label={texts.invitations.subject}
              maxLength={150}
              dir={directionOf(language)}
              lang={language}
              value={words.subject}
              placeholder={defaultTexts[language].subject}
              error={errorOf('subject')}
              onChange={(subject) => change({ subject })}
            />
            <LongTextField
              label={texts.invitations.text}
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
          {texts.invitations.preview}
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
