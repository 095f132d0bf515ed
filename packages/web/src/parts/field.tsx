import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { besidesFields, type CallFault } from '../api/fault.js';
import { FaultNotice } from './notice.js';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** The fault of the entered value. */
  readonly wrong?: string | undefined;
}

interface InputProps extends FieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'url' | 'search' | 'date' | 'datetime-local';
  readonly autocomplete?: 'off' | 'name' | 'username' | 'current-password' | 'new-password';
  readonly inputMode?: 'numeric' | 'decimal';
  readonly placeholder?: string;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly step?: number;
  readonly readOnly?: boolean;
  /** Takes the focus when its dialog opens. */
  readonly autofocus?: boolean;
}

interface Described {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

/** A label with its control, a hint and what is wrong, tied together for screen readers. */
export const Labelled = ({
  label,
  hint,
  wrong,
  children,
}: FieldProps & { readonly children: (described: Described) => ComponentChildren }) => {
  const id = useId();
  const notes = [hint === undefined ? '' : `${id}-hint`, wrong === undefined ? '' : `${id}-wrong`].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint === undefined ? null : (
        <div class="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {children({
        id,
        'aria-describedby': notes.length === 0 ? undefined : notes.join(' '),
        'aria-invalid': wrong === undefined ? undefined : 'true',
      })}
      {wrong === undefined ? null : (
        <div class="wrong" id={`${id}-wrong`}>
          {wrong}
        </div>
      )}
    </div>
  );
};

/** A line of text to enter. */
export const TextField = ({ label, hint, wrong, value, onValue, type = 'text', ...input }: InputProps) => (
  <Labelled label={label} hint={hint} wrong={wrong}>
    {(described) => (
      <input
        {...input}
        {...described}
        // The JSX types of an input need one literal here; the value may be any of the types above.
        type={type as 'text'}
        class="input"
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )}
  </Labelled>
);

interface ChoiceProps<Value extends string> extends FieldProps {
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, text: string])[];
  readonly onValue: (value: Value) => void;
}

/** A list from which one of a few values is chosen. */
export const Choice = <Value extends string>({ label, hint, wrong, value, choices, onValue }: ChoiceProps<Value>) => (
  <Labelled label={label} hint={hint} wrong={wrong}>
    {(described) => (
      <select
        {...described}
        class="input"
        value={value}
        onChange={(event) => {
          const chosen = choices.find(([each]) => each === event.currentTarget.value);
          if (chosen !== undefined) onValue(chosen[0]);
        }}
      >
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);

interface CheckboxProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly wrong?: string | undefined;
  /** The element elsewhere that says what is wrong. */
  readonly wrongId?: string | undefined;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
}

/** A checkbox with its label. */
export const Checkbox = ({ label, hint, wrong, wrongId, checked, onChecked }: CheckboxProps) => {
  const id = useId();
  const faultId = wrong === undefined ? wrongId : id;
  return (
    <div class="field">
      <label class="tick">
        <input
          type="checkbox"
          aria-invalid={faultId === undefined ? undefined : 'true'}
          aria-describedby={faultId}
          checked={checked}
          onChange={(event) => onChecked(event.currentTarget.checked)}
        />
        <span>
          {label}
          {hint === undefined ? null : <span class="small soft">{hint}</span>}
        </span>
      </label>
      {wrong === undefined ? null : (
        <div class="wrong" id={id}>
          {wrong}
        </div>
      )}
    </div>
  );
};

interface CheckboxGroupProps<Value extends string> {
  readonly legend: string;
  readonly hint?: ComponentChildren;
  readonly wrong?: string | undefined;
  readonly choices: readonly (readonly [value: Value, text: ComponentChildren])[];
  readonly chosen: readonly Value[];
  readonly onChosen: (chosen: readonly Value[]) => void;
}

/** Checkboxes for any number of a few values; `onChosen` gets the chosen ones in the order of `choices`. */
export const CheckboxGroup = <Value extends string>({
  legend,
  hint,
  wrong,
  choices,
  chosen,
  onChosen,
}: CheckboxGroupProps<Value>) => {
  const id = useId();
  return (
    <fieldset class="field" aria-describedby={hint === undefined ? undefined : id}>
      <legend class="label">{legend}</legend>
      {hint === undefined ? null : (
        <div class="hint" id={id}>
          {hint}
        </div>
      )}
      {choices.map(([value, text], at) => (
        <Checkbox
          key={value}
          label={text}
          // The first checkbox carries the fault of all, so that it gets the focus.
          wrongId={at === 0 && wrong !== undefined ? `${id}-wrong` : undefined}
          checked={chosen.includes(value)}
          onChecked={(checked) =>
            onChosen(choices.map(([each]) => each).filter((each) => (each === value ? checked : chosen.includes(each))))
          }
        />
      ))}
      {wrong === undefined ? null : (
        <div class="wrong" id={`${id}-wrong`}>
          {wrong}
        </div>
      )}
    </fieldset>
  );
};

/** A value once it has stayed the same for that many milliseconds, so that typing is not interrupted. */
export const useSettled = <Value,>(value: Value, ms = 300): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
};

export interface FormProps {
  /** Sends the form. Resolves once it was sent, or was found wrong before. */
  readonly onSubmit: () => unknown;
  readonly fault?: CallFault | undefined;
  /** JSON pointers of the values whose faults are shown at a field. */
  readonly fields?: readonly string[];
  readonly look?: string;
  readonly children: ComponentChildren;
}

const focusFirstWrong = (form: HTMLFormElement | null): void => {
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (wrong === null || wrong === undefined) return;
  const folded = wrong.closest('details');
  if (folded !== null) folded.open = true;
  wrong.focus();
};

/** A form. What is wrong with a field is said there only, and the first such field gets the focus; all else is said above. */
export const Form = ({ onSubmit, fault, fields = [], look = 'stack', children }: FormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const rest = besidesFields(fault, fields);
  return (
    <form
      ref={form}
      class={look}
      noValidate
      onSubmit={async (event) => {
        event.preventDefault();
        await onSubmit();
        // Waits for the next drawing, which marks the wrong fields.
        setTimeout(() => focusFirstWrong(form.current));
      }}
    >
      {rest === undefined ? null : <FaultNotice fault={rest} />}
      {children}
    </form>
  );
};
