import type { Answer, AskItem } from '@waiver-service/forms';
import type { ComponentChildren, ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSigning } from '../screens/signing-context.ts';

/** The attributes of what is signed: it is read as it was written, so browsers must not translate it. */
export const verbatim = { class: 'notranslate', translate: false } as const;

/** The props common to all kinds of controls. */
export interface AnswerProps {
  readonly item: AskItem;
  readonly texts: {
    readonly id: string;
    readonly label: string;
    readonly help: string | undefined;
    readonly problem: string | undefined;
    readonly isOptional: boolean;
  };
  /** Whether the answer is about the person whose device it is, so that the browser may autofill it. */
  readonly isOwn: boolean;
  readonly answer: Answer | undefined;
  readonly onAnswer: (answer: Answer | undefined) => void;
}

interface TextEvent {
  readonly currentTarget: { readonly value: string };
}

/** Takes what is typed or chosen, and what is filled in by a browser that sends only `input` or only `change`. */
export function onText(take: (text: string) => void) {
  const handle = ({ currentTarget }: TextEvent) => take(currentTarget.value);
  return { onInput: handle, onChange: handle };
}

/** Handles a form's submission in place of the browser. */
export const onSubmit = (submit: () => void) => (event: Event) => {
  event.preventDefault();
  submit();
};

interface ChoiceProps {
  readonly type: 'radio' | 'checkbox';
  readonly name: string;
  readonly isChosen: boolean;
  readonly isDisabled?: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly children: ComponentChildren;
}

/** A radio button or checkbox whose whole label can be tapped. */
export function Choice(props: ChoiceProps) {
  const { type, name, isChosen, isDisabled = false, onChoose, describedBy, isInvalid, children } = props;
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    onChoose(currentTarget.checked);
  return (
    <label class="choice">
      <input
        type={type}
        name={name}
        checked={isChosen}
        disabled={isDisabled}
        aria-describedby={describedBy}
        aria-invalid={isInvalid ? 'true' : undefined}
        // A browser that fills in may send only one of the two.
        onInput={choose}
        onChange={choose}
      />
      <span class="choice-text">{children}</span>
    </label>
  );
}

interface FieldText {
  readonly id: string;
  readonly label: string;
  readonly isOptional?: boolean;
  /** Whether browsers must not translate the label, since it is part of what is signed. */
  readonly isVerbatim?: boolean;
  readonly help?: string | undefined;
  readonly problem?: string | undefined;
}

/** The ids of the texts that describe a control. */
const describedBy = ({ id, help, problem }: FieldText) =>
  [help ? `${id}-help` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ') || undefined;

/** What is wrong with the control of this id, which it describes. */
export const Problem = ({ id, problem }: Pick<FieldText, 'id' | 'problem'>) =>
  problem ? (
    <p class="problem" id={`${id}-problem`}>
      {problem}
    </p>
  ) : null;

function Texts({ id, help, problem }: FieldText) {
  return (
    <>
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      <Problem id={id} problem={problem} />
    </>
  );
}

function Label({ label, isOptional, isVerbatim = false }: FieldText) {
  const { words } = useSigning();
  return (
    <>
      <span {...(isVerbatim ? verbatim : {})}>{label}</span>
      {isOptional && <span class="optional"> ({words.optional})</span>}
    </>
  );
}

/** The attributes that a field passes to its control. */
interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

/** A control with its label, help and error. */
export function Field(props: FieldText & { readonly control: (props: ControlProps) => JSX.Element }) {
  const { id, problem, control } = props;
  return (
    <div class={problem ? 'field invalid' : 'field'}>
      <label class="label" for={id}>
        <Label {...props} />
      </label>
      <Texts {...props} />
      {control({ id, 'aria-describedby': describedBy(props), 'aria-invalid': problem ? 'true' : undefined })}
    </div>
  );
}

/** Several controls under one question. */
export function FieldGroup(props: FieldText & { readonly children: ComponentChildren }) {
  const { id, problem, children } = props;
  return (
    <fieldset id={id} class={problem ? 'field invalid' : 'field'} aria-describedby={describedBy(props)}>
      <legend class="label">
        <Label {...props} />
      </legend>
      <Texts {...props} />
      {children}
    </fieldset>
  );
}

/** A component whose script is loaded when it is first rendered. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return (props: Props) => {
    const { words } = useSigning();
    const [Component, setComponent] = useState(() => loaded);
    const [isFailed, setFailed] = useState(false);
    const start = () => {
      setFailed(false);
      load().then(
        (component) => {
          loaded = component;
          setComponent(() => component);
        },
        () => setFailed(true),
      );
    };
    useEffect(() => {
      if (Component === undefined) start();
    }, []);
    if (Component !== undefined) return <Component {...props} />;
    if (!isFailed) return <p class="help">{words.loading}</p>;
    return (
      <button type="button" class="secondary" onClick={start}>
        {words.trouble.offlineAtStart.title}. {words.trouble.tryAgain}
      </button>
    );
  };
}
