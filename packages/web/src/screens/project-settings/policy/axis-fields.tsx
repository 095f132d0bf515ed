import { Tick } from '../../../parts/tick.js';
import { AXES, AXIS_TITLES, type AxisName } from '../../../wording/names.js';
import type { FieldsGiven } from './policy-draft.js';

interface NumberCellProps {
  readonly label: string;
  readonly value: string;
  readonly wrong: string | undefined;
  readonly onValue: (value: string) => void;
}

const NumberCell = ({ label, value, wrong, onValue }: NumberCellProps) => (
  <div>
    <input
      class="input"
      inputMode="decimal"
      aria-label={label}
      aria-invalid={wrong === undefined ? undefined : 'true'}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
    {wrong === undefined ? null : <div class="wrong small">{wrong}</div>}
  </div>
);

/** What each axis must reach, how much it counts, and whether it must be measured. */
export const AxisFields = ({ draft, wrong, change }: FieldsGiven) => {
  const within = (name: 'weights' | 'minimums', axis: AxisName) => (value: string) =>
    change({ [name]: { ...draft[name], [axis]: value } });
  return (
    <div class="axis-fields">
      <span class="head axis-name">Axis</span>
      <span class="head">At least</span>
      <span class="head">Weight</span>
      <span class="head">Must be measured</span>
      {AXES.map((axis) => {
        const title = AXIS_TITLES[axis];
        return (
          <>
            <strong class="axis-name">{title}</strong>
            <NumberCell
              label={`${title} at least`}
              value={draft.minimums[axis]}
              wrong={wrong[`/minimums/${axis}`]}
              onValue={within('minimums', axis)}
            />
            <NumberCell
              label={`Weight of ${title}`}
              value={draft.weights[axis]}
              wrong={wrong[`/weights/${axis}`]}
              onValue={within('weights', axis)}
            />
            <Tick
              label={<span class="unseen">{title} must be measured</span>}
              checked={draft.required.includes(axis)}
              onChecked={(checked) =>
                change({ required: AXES.filter((each) => (each === axis ? checked : draft.required.includes(each))) })
              }
            />
          </>
        );
      })}
    </div>
  );
};
