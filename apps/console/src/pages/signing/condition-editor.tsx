import { type AskItem, formLimits, type When } from '@waiver-service/forms';
import { Button } from '../../components/button.tsx';
import { CheckField, CheckList, ChoiceField, NumberField, WordsField } from '../../components/field.tsx';
import { fieldNames, formsTexts } from '../../text/english/forms.ts';
import { titleOf } from './edit-content.ts';
import { useEditing } from './editing.tsx';
import styles from './forms.module.css';

type Group = Extract<When, { readonly all: unknown } | { readonly any: unknown }>;
type Atom = Exclude<When, Group | { readonly not: When }>;
type AtomKind = keyof typeof formsTexts.atoms;

const isGroup = (when: When): when is Group => 'all' in when || 'any' in when;
const partsOf = (group: Group): readonly When[] => ('all' in group ? group.all : group.any);
const groupOf = (kind: 'all' | 'any', parts: readonly When[]): Group =>
  kind === 'all' ? { all: parts } : { any: parts };
const kindOf = (atom: Atom): AtomKind =>
  'answer' in atom ? 'answer' : 'ageBelow' in atom ? 'ageBelow' : 'activity';

const kindsWithList: readonly AskItem['kind'][] = ['yesno', 'choice', 'choices', 'country'];

interface ConditionProps {
  readonly when: When;
  /** Undefined removes the condition. */
  readonly onChange: (when: When | undefined) => void;
  /** The questions above, to which the condition may refer. */
  readonly above: readonly AskItem[];
  readonly depth: number;
}

interface ConditionEditorProps extends Pick<ConditionProps, 'above'> {
  readonly when: When | undefined;
  readonly onChange: ConditionProps['onChange'];
}

/** When a page or item is shown. Offers only the questions above it. */
export function ConditionEditor({ when, onChange, above }: ConditionEditorProps) {
  const first = useNewAtom(above);
  const { isReadOnly } = useEditing();
  return (
    <fieldset className={styles.condition}>
      <legend>{fieldNames.when}</legend>
      {when === undefined ? (
        <div className={styles.row}>
          <span className="muted">Always shown</span>
          {isReadOnly ? null : (
            <Button size="small" onClick={() => onChange(first())}>
              {formsTexts.addCondition}
            </Button>
          )}
        </div>
      ) : (
        <>
          <Condition when={when} onChange={onChange} above={above} depth={0} />
          {isGroup(when) ? null : (
            <p>
              <Button size="small" onClick={() => onChange({ all: [when, first()] })}>
                {formsTexts.addCondition}
              </Button>
            </p>
          )}
        </>
      )}
    </fieldset>
  );
}

/** Creates an initial condition, of a kind that is possible here. */
function useNewAtom(above: readonly AskItem[]): () => Atom {
  const { content } = useEditing();
  return () => {
    const question = above.findLast(({ kind }) => kindsWithList.includes(kind));
    if (question !== undefined) return answerTo(question);
    if (content.activities.length > 0) return { activity: content.activities.slice(0, 1) };
    return { ageBelow: content.people.majority };
  };
}

function answerTo({ id, kind, options = [] }: AskItem): Atom {
  const [first] = kind === 'yesno' ? ['yes'] : options.map((option) => option.id);
  return { answer: id, in: first === undefined ? [] : [first] };
}

function Condition(props: ConditionProps) {
  const { when, onChange, above, depth } = props;
  if (isGroup(when)) return <GroupEditor {...props} group={when} />;
  const isNegated = 'not' in when;
  const inner = isNegated ? when.not : when;
  const wrapped = (next: When | undefined, negated: boolean) =>
    onChange(next === undefined || !negated ? next : { not: next });
  return (
    <div className={styles.atom}>
      {'not' in inner || isGroup(inner) ? (
        <Condition when={inner} onChange={(next) => wrapped(next, true)} above={above} depth={depth + 1} />
      ) : (
        <AtomEditor atom={inner} onChange={(next) => wrapped(next, isNegated)} above={above} />
      )}
      <div className={styles.row}>
        <CheckField
          label="Only if this does not apply"
          value={isNegated}
          onChange={(negated) => wrapped(inner, negated)}
        />
        <Button size="small" look="quiet" onClick={() => onChange(undefined)}>
          Remove condition
        </Button>
      </div>
    </div>
  );
}

function GroupEditor({ group, onChange, above, depth }: ConditionProps & { readonly group: Group }) {
  const newAtom = useNewAtom(above);
  const kind = 'all' in group ? 'all' : 'any';
  const parts = partsOf(group);
  const setParts = (next: readonly When[]) => onChange(next.length > 1 ? groupOf(kind, next) : next[0]);
  const replace = (index: number, part: When | undefined) =>
    setParts(part === undefined ? parts.toSpliced(index, 1) : parts.with(index, part));
  const isFull = parts.length >= formLimits.conditionParts;
  return (
    <div className={styles.group}>
      <ChoiceField
        label="Shown if"
        value={kind}
        choices={[
          ['all', 'All of these apply'],
          ['any', 'Any of these applies'],
        ]}
        onChange={(next) => onChange(groupOf(next, parts))}
      />
      {parts.map((part, index) => (
        // Conditions have no other key than their index.
        <Condition
          key={index}
          when={part}
          onChange={(next) => replace(index, next)}
          above={above}
          depth={depth + 1}
        />
      ))}
      {isFull ? null : (
        <div className={styles.row}>
          <Button size="small" onClick={() => setParts([...parts, newAtom()])}>
            {formsTexts.addCondition}
          </Button>
          {depth + 2 > formLimits.conditionDepth ? null : (
            <Button
              size="small"
              onClick={() =>
                setParts([...parts, groupOf(kind === 'all' ? 'any' : 'all', [newAtom(), newAtom()])])
              }
            >
              Add group
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface AtomEditorProps extends Pick<ConditionProps, 'above'> {
  readonly atom: Atom;
  readonly onChange: (atom: Atom) => void;
}

function AtomEditor({ atom, onChange, above }: AtomEditorProps) {
  const { content } = useEditing();
  const questions = above.filter(({ kind }) => kindsWithList.includes(kind));
  const kind = kindOf(atom);
  const offered: readonly AtomKind[] = [
    ...(questions.length > 0 || kind === 'answer' ? (['answer'] as const) : []),
    'ageBelow',
    'activity',
  ];
  const ofKind = (next: AtomKind): Atom => {
    if (next === 'ageBelow') return { ageBelow: content.people.majority };
    if (next === 'activity') return { activity: content.activities.slice(0, 1) };
    const [first] = questions;
    return first === undefined ? atom : answerTo(first);
  };
  return (
    <div className={styles.fields}>
      <ChoiceField
        label="Depends on"
        value={kind}
        choices={offered.map((one) => [one, formsTexts.atoms[one]])}
        onChange={(next) => onChange(ofKind(next))}
      />
      {'answer' in atom ? <AnswerFields atom={atom} onChange={onChange} above={questions} /> : null}
      {'ageBelow' in atom ? (
        <NumberField
          label="Younger than"
          min={1}
          max={formLimits.age}
          value={atom.ageBelow}
          onChange={(age) => onChange({ ageBelow: age ?? 0 })}
        />
      ) : null}
      {'activity' in atom ? <ActivityFields atom={atom} onChange={onChange} /> : null}
    </div>
  );
}

interface AtomFieldsProps<One extends Atom> {
  readonly atom: One;
  readonly onChange: (atom: One) => void;
}

type AnswerAtom = Extract<Atom, { readonly answer: string }>;

function AnswerFields({
  atom,
  onChange,
  above,
}: AtomFieldsProps<AnswerAtom> & Pick<ConditionProps, 'above'>) {
  const { languages } = useEditing().content;
  const question = above.find(({ id }) => id === atom.answer);
  const nameOf = (item: AskItem) => titleOf(item, languages) || item.id;
  const choose = (id: string) => {
    const chosen = above.find((one) => one.id === id);
    const next = chosen && answerTo(chosen);
    if (next !== undefined && 'answer' in next) onChange(next);
  };
  return (
    <>
      <ChoiceField
        label="Question"
        value={atom.answer}
        choices={[
          ...above.map((item) => [item.id, nameOf(item)] as const),
          ...(question === undefined ? [[atom.answer, atom.answer] as const] : []),
        ]}
        onChange={choose}
      />
      {question === undefined ? null : question.kind === 'country' ? (
        <WordsField
          label={formsTexts.answers}
          hint="Codes such as CZ, AT, separated by commas."
          words={atom.in}
          onChange={(codes) => onChange({ ...atom, in: codes.map((code) => code.toUpperCase()) })}
        />
      ) : (
        <AnswerList
          label={formsTexts.answers}
          question={question}
          value={atom.in}
          onChange={(ids) => onChange({ ...atom, in: ids })}
        />
      )}
    </>
  );
}

interface AnswerListProps {
  readonly label: string;
  readonly question: AskItem;
  readonly value: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** A checkbox for each possible answer of a question. */
export function AnswerList({ label, question, value, onChange }: AnswerListProps) {
  const { languages } = useEditing().content;
  const choices =
    question.kind === 'yesno'
      ? Object.entries(formsTexts.yesno)
      : (question.options ?? []).map(
          (option) =>
            [
              option.id,
              languages.map((language) => option.label[language]).find(Boolean) ?? option.id,
            ] as const,
        );
  return <CheckList label={label} choices={choices} value={value} onChange={onChange} />;
}

type ActivityAtom = Extract<Atom, { readonly activity: unknown }>;

function ActivityFields({ atom, onChange }: AtomFieldsProps<ActivityAtom>) {
  const { activities } = useEditing().content;
  if (activities.length === 0)
    return (
      <WordsField
        label={fieldNames.activities}
        words={atom.activity}
        onChange={(activity) => onChange({ activity })}
      />
    );
  return (
    <CheckList
      label={fieldNames.activities}
      choices={activities.map((activity) => [activity, activity])}
      value={atom.activity}
      onChange={(activity) => onChange({ activity })}
    />
  );
}
