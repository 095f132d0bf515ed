import type { ProjectPlace } from '../../../navigation/places.js';
import { Choice, TextField } from '../../../parts/field.js';
import { Panel } from '../../../parts/page.js';
import { AxisFields } from './axis-fields.js';
import { EnvironmentField } from './environment-field.js';
import type { FieldsGiven } from './policy-draft.js';
import { BOUND_CHOICES, VERIFICATION_CHOICES } from './policy-words.js';

/** All that a policy demands, with what each demand means. */
export const Fields = ({ place, ...given }: FieldsGiven & { readonly place: ProjectPlace }) => {
  const { draft, wrong, change } = given;
  const number = (
    name: 'threshold' | 'freshness' | 'bugs' | 'finished' | 'silence',
    pointer: string,
    label: string,
    hint: string,
  ) => (
    <TextField
      label={label}
      hint={hint}
      inputMode="decimal"
      value={draft[name]}
      onValue={(value) => change({ [name]: value })}
      wrong={wrong[pointer]}
    />
  );
  return (
    <>
      <Panel title="Score and axes">
        <div class="stack">
          {number('threshold', '/threshold', 'Readiness score at least', '0 to 100. Below it the gate holds.')}
          <p class="small soft measure">
            An axis below its minimum holds; one that must be measured and is not leaves the decision unknown. An axis
            of weight 0 is shown and decides nothing.
          </p>
          <AxisFields {...given} />
        </div>
      </Panel>
      <Panel title="Quality and verification">
        <div class="stack">
          {number('bugs', '/max_open_critical_bugs', 'Open critical bugs at most', 'More hold. Empty: any number.')}
          <Choice
            label="Test run that counts"
            value={draft.verification}
            choices={VERIFICATION_CHOICES}
            onValue={(verification) => change({ verification })}
          />
          {number(
            'freshness',
            '/freshness_hours',
            'Test run not older than, in hours',
            'An older one leaves verification unmeasured. Empty: any age.',
          )}
        </div>
      </Panel>
      <Panel title="Stability">
        <div class="stack">
          <EnvironmentField {...given} place={place} />
          {number(
            'finished',
            '/min_finished_deployments',
            'Finished deployments at least',
            'With fewer, stability is unmeasured.',
          )}
          <Choice
            label="The minimum of stability is asked of"
            hint="One success of one says little: the upper end of the 95 % interval takes that into account."
            value={draft.bound}
            choices={BOUND_CHOICES}
            onValue={(bound) => change({ bound })}
          />
        </div>
      </Panel>
      <Panel title="Silent sources">
        {number(
          'silence',
          '/silence_hours',
          'Hours without a report until a source counts as silent',
          'Silence is named beside the score and changes nothing in it. Empty: whatever is unusual for the source.',
        )}
      </Panel>
    </>
  );
};
