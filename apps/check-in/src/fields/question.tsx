import { type Answer, type AskItem, formText, signingLimits } from '@waiver-service/forms';
import { answersOf, takesPart, withAnswer } from '../draft/draft.ts';
import { isShared } from '../host/calls.ts';
import { useItemProblem, useSigning } from '../screens/signing-context.ts';
import { countries } from '../text/formats.ts';
import { DateField, withLatinDigits } from './date-field.tsx';
import { type AnswerProps, Choice, Field, FieldGroup, lazy, onText } from './field.tsx';

/** A question of the form, asked of one guest or once for all. */
interface QuestionProps {
  readonly item: AskItem;
  readonly guest: number | null;
}

const PhotoQuestion = lazy(async () => (await import('../photos/photo-question.tsx')).PhotoQuestion);

const inputs = {
  text: { type: 'text' },
  email: { type: 'email', inputMode: 'email', autocapitalize: 'none', spellcheck: false },
  phone: { type: 'tel', inputMode: 'tel' },
} as const;

const completions: Readonly<Record<string, string>> = { name: 'name', email: 'email', phoneNumber: 'tel' };

const maxLengths = { text: signingLimits.line, email: signingLimits.email, phone: signingLimits.phone };

const textOf = (answer: Answer | undefined) => (typeof answer === 'string' ? answer : '');

function LineQuestion({ item, texts, isOwn, answer, onAnswer }: AnswerProps) {
  const kind = item.kind === 'email' || item.kind === 'phone' ? item.kind : 'text';
  const completion = isOwn && item.property !== undefined ? completions[item.property] : undefined;
  return (
    <Field
      {...texts}
      control={(props) => (
        <input
          {...props}
          {...inputs[kind]}
          dir="auto"
          autocomplete={completion ?? 'off'}
          maxLength={maxLengths[kind]}
          value={textOf(answer)}
          {...onText(onAnswer)}
        />
      )}
    />
  );
}

function LongQuestion({ texts, answer, onAnswer }: AnswerProps) {
  return (
    <Field
      {...texts}
      control={(props) => (
        <textarea
          {...props}
          rows={3}
          maxLength={signingLimits.long}
          value={textOf(answer)}
          {...onText(onAnswer)}
        />
      )}
    />
  );
}

/** Accepts a decimal point or comma; anything else is kept as text, which validation rejects. */
function numberOf(text: string): Answer {
  const plain = withLatinDigits(text).trim().replace(',', '.');
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text;
}

function NumberQuestion({ texts, answer, onAnswer }: AnswerProps) {
  return (
    <Field
      {...texts}
      control={(props) => (
        <input
          {...props}
          class="short"
          inputMode="decimal"
          autocomplete="off"
          maxLength={20}
          defaultValue={answer === undefined ? '' : String(answer)}
          {...onText((text) => onAnswer(numberOf(text)))}
        />
      )}
    />
  );
}

function YesNoQuestion({ texts, answer, onAnswer }: AnswerProps) {
  const { words } = useSigning();
  return (
    <FieldGroup {...texts}>
      <div class="choices side-by-side">
        {([true, false] as const).map((value) => (
          <Choice
            key={String(value)}
            type="radio"
            name={texts.id}
            isChosen={answer === value}
            onChoose={() => onAnswer(value)}
          >
            {value ? words.fields.yes : words.fields.no}
          </Choice>
        ))}
      </div>
    </FieldGroup>
  );
}

/** With more options, a menu. */
const maxRadioButtons = 7;

function Menu({
  texts,
  answer,
  onAnswer,
  options,
}: AnswerProps & { options: readonly { id: string; label: string }[] }) {
  const { words } = useSigning();
  return (
    <Field
      {...texts}
      control={(props) => (
        <select {...props} value={textOf(answer)} {...onText((text) => onAnswer(text || undefined))}>
          <option value="">{words.fields.choose}</option>
          {options.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      )}
    />
  );
}

function ChoiceQuestion(props: AnswerProps) {
  const { item, texts, answer, onAnswer } = props;
  const { draft } = useSigning();
  const options = (item.options ?? []).map(({ id, label }) => ({
    id,
    label: formText(label, draft.language),
  }));
  if (options.length > maxRadioButtons) return <Menu {...props} options={options} />;
  return (
    <FieldGroup {...texts}>
      <div class="choices">
        {options.map(({ id, label }) => (
          <Choice
            key={id}
            type="radio"
            name={texts.id}
            isChosen={answer === id}
            onChoose={() => onAnswer(id)}
          >
            {label}
          </Choice>
        ))}
      </div>
    </FieldGroup>
  );
}

function ChoicesQuestion({ item, texts, answer, onAnswer }: AnswerProps) {
  const { draft } = useSigning();
  const chosen: readonly string[] = Array.isArray(answer) ? answer : [];
  const options = item.options ?? [];
  return (
    <FieldGroup {...texts}>
      <div class="choices">
        {options.map(({ id, label }) => (
          <Choice
            key={id}
            type="checkbox"
            name={texts.id}
            isChosen={chosen.includes(id)}
            // In the form's order, not in the order of ticking.
            onChoose={(isChosen) =>
              onAnswer(
                options.map((one) => one.id).filter((one) => (one === id ? isChosen : chosen.includes(one))),
              )
            }
          >
            {formText(label, draft.language)}
          </Choice>
        ))}
      </div>
    </FieldGroup>
  );
}

function CountryQuestion(props: AnswerProps) {
  const { draft } = useSigning();
  return <Menu {...props} options={countries(draft.language)} />;
}

function DateQuestion({ item, texts, isOwn, answer, onAnswer }: AnswerProps) {
  return (
    <DateField
      {...texts}
      isOwnBirthday={isOwn && item.property === 'dateOfBirth'}
      value={textOf(answer)}
      onInput={onAnswer}
    />
  );
}

const questions = {
  text: LineQuestion,
  email: LineQuestion,
  phone: LineQuestion,
  long: LongQuestion,
  number: NumberQuestion,
  yesno: YesNoQuestion,
  choice: ChoiceQuestion,
  choices: ChoicesQuestion,
  country: CountryQuestion,
  date: DateQuestion,
  photo: PhotoQuestion,
} satisfies Record<AskItem['kind'], unknown>;

export function Question({ item, guest }: QuestionProps) {
  const { session, draft, change } = useSigning();
  const problem = useItemProblem(item.id, guest);
  const QuestionOfKind = questions[item.kind];
  return (
    <QuestionOfKind
      item={item}
      texts={{
        id: `ask-${item.id}-${guest ?? 'all'}`,
        label: formText(item.label, draft.language),
        help: item.help && formText(item.help, draft.language),
        problem,
        isOptional: !item.required,
      }}
      isOwn={!isShared(session) && (guest === null || (guest === 0 && takesPart(draft)))}
      answer={answersOf(draft, guest)[item.id]}
      onAnswer={(answer) => change((former) => withAnswer(former, guest, item.id, answer))}
    />
  );
}
