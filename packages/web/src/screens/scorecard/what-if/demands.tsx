import type { Policy } from '@shipworthy/client';
import { TextField } from '../../../parts/field.js';
import { AXES, AXIS_TITLES, type AxisName } from '../../../wording/names.js';

/** Demands as they are typed; what is missing or no number stays as it is. */
export interface DemandTexts {
  readonly threshold?: string;
  readonly minimums?: Partial<Record<AxisName, string>>;
}

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined || text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text);

/** The demands that were changed. */
export const demandsOf = ({ threshold, minimums = {} }: DemandTexts) => {
  const score = numberOf(threshold);
  const least = AXES.flatMap((axis) => {
    const value = numberOf(minimums[axis]);
    return value === undefined ? [] : [[axis, value] as const];
  });
  return {
    ...(score === undefined ? {} : { threshold: score }),
    ...(least.length === 0 ? {} : { minimums: Object.fromEntries(least) }),
  };
};

interface DemandsProps {
  readonly policy: Policy;
  readonly texts: DemandTexts;
  readonly faults: readonly { readonly pointer: string; readonly message: string }[];
  readonly onChange: (texts: DemandTexts) => void;
}

/** What the policy asks for, to be taken for something else. */
export const Demands = ({ policy, texts, faults, onChange }: DemandsProps) => {
  const wrong = (pointer: string) => faults.find((fault) => fault.pointer === `/policy${pointer}`)?.message;
  const field = (label: string, value: string, pointer: string, onValue: (text: string) => void) => (
    <TextField
      key={pointer}
      label={label}
      type="number"
      inputMode="decimal"
      min={0}
      max={100}
      step={1}
      value={value}
      wrong={wrong(pointer)}
      onValue={onValue}
    />
  );
  return (
    <details>
      <summary>Suppose other demands, too</summary>
      <div class="demands">
        {field('Score asked for', texts.threshold ?? String(policy.threshold), '/threshold', (threshold) =>
          onChange({ ...texts, threshold }),
        )}
        {AXES.map((axis) =>
          field(
            `Least ${AXIS_TITLES[axis].toLowerCase()}`,
            texts.minimums?.[axis] ?? String(policy.minimums[axis]),
            `/minimums/${axis}`,
            (text) => onChange({ ...texts, minimums: { ...texts.minimums, [axis]: text } }),
          ),
        )}
      </div>
    </details>
  );
};
