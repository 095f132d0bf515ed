import { useId } from 'preact/hooks';
import { countText } from '../../../wording/numbers.js';

interface AmountProps {
  readonly label: string;
  readonly value: number;
  /** As it is. */
  readonly real: number;
  readonly most: number;
  /** Whether the most is all there are, as of issues. */
  readonly all?: boolean;
  readonly onValue: (value: number) => void;
}

/** A number to move: by a slider, by its keys, or one by one. */
export const Amount = ({ label, value, real, most, all = true, onValue }: AmountProps) => {
  const id = useId();
  const difference = value - real;
  const said = all ? `${countText(value)} of ${countText(most)}` : countText(value);
  const button = (sign: string, words: string, next: number) => (
    <button
      type="button"
      class="button compact"
      aria-label={`${words}: ${label}`}
      aria-disabled={next < 0 || next > most ? 'true' : undefined}
      onClick={() => onValue(Math.max(0, Math.min(most, next)))}
    >
      {sign}
    </button>
  );
  return (
    <div class="amount">
      <label for={id}>{label}</label>
      <span class="number">
        <span class="amount-moved">
          {difference === 0 ? '' : difference > 0 ? `+${difference}` : `−${-difference}`}
        </span>
        {said}
      </span>
      <div class="amount-move">
        {button('−', 'One fewer', value - 1)}
        <input
          id={id}
          type="range"
          min={0}
          max={most}
          step={1}
          value={value}
          aria-valuetext={said}
          onInput={(event) => onValue(Number(event.currentTarget.value))}
        />
        {button('+', 'One more', value + 1)}
      </div>
    </div>
  );
};
