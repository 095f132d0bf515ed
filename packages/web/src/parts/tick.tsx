import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface TickProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
}

/** Something that is so or not. */
export const Tick = ({ label, hint, checked, onChecked }: TickProps) => (
  <label class="tick">
    <input type="checkbox" checked={checked} onChange={(event) => onChecked(event.currentTarget.checked)} />
    <span>
      {label}
      {hint === undefined ? null : <span class="small soft">{hint}</span>}
    </span>
  </label>
);

interface TicksProps<Value extends string> {
  readonly legend: string;
  readonly hint?: ComponentChildren;
  readonly wrong?: string | undefined;
  readonly choices: readonly (readonly [value: Value, text: ComponentChildren])[];
  readonly chosen: readonly Value[];
  readonly onChosen: (chosen: readonly Value[]) => void;
}

/** Any number of a few, in the order they are offered in. */
export const Ticks = <Value extends string>({ legend, hint, wrong, choices, chosen, onChosen }: TicksProps<Value>) => {
  const id = useId();
  return (
    <fieldset class="field" aria-describedby={hint === undefined ? undefined : id}>
      <legend class="label">{legend}</legend>
      {hint === undefined ? null : (
        <div class="hint" id={id}>
          {hint}
        </div>
      )}
      {choices.map(([value, text]) => (
        <Tick
          key={value}
          label={text}
          checked={chosen.includes(value)}
          onChecked={(checked) =>
            onChosen(choices.map(([each]) => each).filter((each) => (each === value ? checked : chosen.includes(each))))
          }
        />
      ))}
      {wrong === undefined ? null : <div class="wrong">{wrong}</div>}
    </fieldset>
  );
};
