import { type FormContent, formLimits, type People, type Validity } from '@waiver-service/forms';
import { FormButton } from '../../components/dialog.tsx';
import {
  CheckField,
  ChoiceField,
  choicesOf,
  NumberField,
  TextField,
  WordsField,
} from '../../components/field.tsx';
import { Card } from '../../components/layout.tsx';
import { fieldNames, formsTexts } from '../../text/english/forms.ts';
import { languageName } from '../../text/formats.ts';
import { moved, withoutLanguage } from './edit-content.ts';
import { ProblemLines, RemoveTool, Tool, useEditing } from './editing.tsx';
import styles from './forms.module.css';

/** Settings of the whole form: languages, people, validity, activities. */
export function SettingsEditor() {
  const { content, change, problems, isReadOnly } = useEditing();
  const set = (changes: Partial<FormContent>) => change((now) => ({ ...now, ...changes }));
  const { binding, languages, activities, reuse } = content;
  return (
    <Card title={formsTexts.settings}>
      <fieldset className={styles.settings} disabled={isReadOnly}>
        <ProblemLines problems={problems.filter(({ page }) => page === undefined)} />
        <Languages />
        <div className={styles.fields}>
          {languages.length === 1 && binding === undefined ? null : (
            <ChoiceField
              label={fieldNames.binding}
              hint="The text that counts; the others are translations."
              value={binding ?? ''}
              choices={[
                ['', 'All of them'],
                ...languages.map((language) => [language, languageName(language)] as const),
              ]}
              onChange={(language) => set({ binding: language === '' ? undefined : language })}
            />
          )}
          <WordsField
            label={fieldNames.activities}
            hint="Ids of the booking system, separated by commas. Leave empty for all."
            words={activities}
            onChange={(words) => set({ activities: words })}
          />
          <ValidityFields validity={content.validity} onChange={(validity) => set({ validity })} />
          <ChoiceField
            label={fieldNames.reuse}
            value={reuse}
            choices={choicesOf(['version', 'form'], formsTexts.reuses)}
            onChange={(next) => set({ reuse: next })}
          />
        </div>
        <PeopleFields />
      </fieldset>
    </Card>
  );
}

const tagPattern = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

function Languages() {
  const { content, change, isReadOnly } = useEditing();
  const { languages } = content;
  return (
    <fieldset className={styles.condition}>
      <legend>{fieldNames.languages}</legend>
      <ul className={styles.chips}>
        {languages.map((language, index) => (
          <li key={language}>
            <span>
              {languageName(language)} <code>{language}</code>
            </span>
            {isReadOnly || languages.length === 1 ? null : (
              <>
                {index === 0 ? null : (
                  <Tool
                    sign="↑"
                    label={formsTexts.up(languageName(language))}
                    onClick={() => change((now) => ({ ...now, languages: moved(now.languages, index, -1) }))}
                  />
                )}
                <RemoveTool
                  label={`Remove ${languageName(language)}`}
                  lead="Its texts are removed from this draft."
                  onRemove={() => change((now) => withoutLanguage(now, language))}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      <p className="muted">The first one is used for guests whose language is missing.</p>
      {isReadOnly || languages.length >= formLimits.languages ? null : (
        <p>
          <FormButton
            size="small"
            title="Add language"
            initialDraft={{ language: '' }}
            isComplete={({ language }) => tagPattern.test(language) && !languages.includes(language)}
            submit={async ({ language }) =>
              change((now) => ({ ...now, languages: [...now.languages, language] }))
            }
            queryKey={['none']}
          >
            {({ draft, field }) => (
              <TextField
                label="Language tag"
                hint={
                  tagPattern.test(draft.language) ? languageName(draft.language) : 'Such as en, de or pt-BR.'
                }
                maxLength={35}
                {...field('language')}
                error={languages.includes(draft.language) ? 'The form has this language.' : undefined}
              />
            )}
          </FormButton>
        </p>
      )}
    </fieldset>
  );
}

type ValidityKind = keyof typeof formsTexts.validities;
const kindOf = (validity: Validity): ValidityKind =>
  'visit' in validity ? 'visit' : 'days' in validity ? 'days' : 'until';
const usualValidity: Readonly<Record<ValidityKind, Validity>> = {
  visit: { visit: true },
  days: { days: 365 },
  until: { until: '12-31' },
};

interface ValidityFieldsProps {
  readonly validity: Validity;
  readonly onChange: (validity: Validity) => void;
}

function ValidityFields({ validity, onChange }: ValidityFieldsProps) {
  return (
    <>
      <ChoiceField
        label="Valid"
        value={kindOf(validity)}
        choices={choicesOf(['visit', 'days', 'until'], formsTexts.validities)}
        onChange={(kind) => onChange(usualValidity[kind])}
      />
      {'days' in validity ? (
        <NumberField
          label={fieldNames['validity.days']}
          min={1}
          max={formLimits.days}
          value={validity.days}
          onChange={(days) => onChange({ days: days ?? 0 })}
        />
      ) : null}
      {'until' in validity ? (
        <TextField
          label={fieldNames['validity.until']}
          hint="Month and day, such as 12-31."
          maxLength={5}
          value={validity.until}
          onChange={(until) => onChange({ until })}
        />
      ) : null}
    </>
  );
}

const usualGuardian = { relationship: 'ask', age: 'birthDate' } as const;
const usualMaxMinors = 10;

function PeopleFields() {
  const { content, change } = useEditing();
  const { people, guardian } = content;
  const set = (changes: Partial<People>) =>
    change((now) => ({ ...now, people: { ...now.people, ...changes } }));
  const age = (label: string, name: 'minAge' | 'maxAge' | 'minorSignsFrom') => (
    <NumberField
      label={label}
      min={0}
      max={formLimits.age}
      value={people[name]}
      onChange={(value) => set({ [name]: value })}
    />
  );
  const setMinors = (minors: People['minors']) =>
    change((now) => ({
      ...now,
      guardian: minors === 'guardian' ? (now.guardian ?? usualGuardian) : undefined,
      people: {
        ...now.people,
        minors,
        maxMinors: minors === 'guardian' ? now.people.maxMinors || usualMaxMinors : 0,
        minorSignsFrom: minors === 'guardian' ? now.people.minorSignsFrom : undefined,
      },
    }));
  return (
    <fieldset className={styles.condition}>
      <legend>Who takes part and signs</legend>
      <CheckField
        label={fieldNames['people.adults']}
        value={people.adults}
        onChange={(adults) => set({ adults })}
      />
      <div className={styles.fields}>
        <ChoiceField
          label={fieldNames['people.minors']}
          value={people.minors}
          choices={choicesOf(['no', 'guardian', 'alone'], formsTexts.minorsOf)}
          onChange={setMinors}
        />
        <NumberField
          label={fieldNames['people.majority']}
          min={12}
          max={25}
          value={people.majority}
          onChange={(majority) => set({ majority: majority ?? 0 })}
        />
        {age(fieldNames['people.minAge'], 'minAge')}
        {age(fieldNames['people.maxAge'], 'maxAge')}
        {people.minors === 'guardian' ? (
          <>
            <NumberField
              label={fieldNames['people.maxMinors']}
              min={1}
              max={formLimits.minors}
              value={people.maxMinors}
              onChange={(maxMinors) => set({ maxMinors: maxMinors ?? 0 })}
            />
            {age(fieldNames['people.minorSignsFrom'], 'minorSignsFrom')}
          </>
        ) : null}
        {guardian === undefined ? null : (
          <>
            <ChoiceField
              label="How the guardian is related"
              value={guardian.relationship}
              choices={choicesOf(['ask', 'require'], formsTexts.relationships)}
              onChange={(relationship) =>
                change((now) => ({ ...now, guardian: { ...guardian, relationship } }))
              }
            />
            <ChoiceField
              label={fieldNames.guardian}
              value={guardian.age}
              choices={choicesOf(['birthDate', 'tick'], formsTexts.guardianAges)}
              onChange={(next) => change((now) => ({ ...now, guardian: { ...guardian, age: next } }))}
            />
          </>
        )}
      </div>
    </fieldset>
  );
}
