import type { ComponentChildren } from 'preact';

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
  return (
    <label class="choice">
      <input
        type={type}
        name={name}
        checked={isChosen}
        disabled={isDisabled}
        aria-describedby={describedBy}
        aria-invalid={isInvalid ? 'true' : undefined}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <span class="choice-text">{children}</span>
    </label>
  );
}
