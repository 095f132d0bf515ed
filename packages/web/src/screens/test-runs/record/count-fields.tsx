import { TextField } from '../../../parts/field.js';
import { countOf, countText, passRateText } from '../../../wording/numbers.js';
import type { Entered } from './entered-counts.js';

interface CountFieldsProps {
  readonly form: { readonly total: string; readonly passed: string };
  readonly entered: Entered;
  /** Whether it was sent before: until then nobody is told that a field is empty. */
  readonly tried: boolean;
  /** What the server refused, by JSON pointer. */
  readonly refused: Readonly<Record<string, string>>;
  readonly onChange: (change: { readonly total?: string; readonly passed?: string }) => void;
}

/** The two numbers that are needed; the third follows from them. */
export const CountFields = ({ form, entered, tried, refused, onChange }: CountFieldsProps) => {
  const { counts } = entered;
  const wrong = entered.counts === null ? entered.wrong : {};
  const shown = (field: 'total' | 'passed') =>
    (tried || form[field] !== '' ? wrong[field] : undefined) ?? refused[`/${field}`];
  return (
    <fieldset class="stack">
      <legend class="unseen">Counts by hand</legend>
      <div class="count-fields">
        <TextField
          label="Passed"
          inputMode="numeric"
          autocomplete="off"
          value={form.passed}
          onValue={(passed) => onChange({ passed })}
          wrong={shown('passed')}
        />
        <TextField
          label="Total"
          inputMode="numeric"
          autocomplete="off"
          value={form.total}
          onValue={(total) => onChange({ total })}
          wrong={shown('total') ?? refused['/failed']}
        />
      </div>
      <p class="soft number" role="status">
        {counts === null
          ? 'Tests that did not pass count as failed.'
          : `${countText(counts.failed)} of ${countOf(counts.total, 'test')} failed: ${passRateText(counts.passed, counts.total)} passed.`}
      </p>
    </fieldset>
  );
};
