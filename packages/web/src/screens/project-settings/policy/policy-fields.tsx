import type { Axis } from '@shipworthy/domain/readiness';
import { useId, useState } from 'preact/hooks';
import { useLatestEnvironments } from '../../../api/project.js';
import { isOffered } from '../../../api/session.js';
import type { ProjectPlace } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Checkbox, CheckboxGroup, Choice, TextField } from '../../../parts/field.js';
import { Panel } from '../../../parts/page.js';
import { isolated } from '../../../wording/isolate.js';
import { AXES_IN_ORDER, AXIS_TITLES } from '../../../wording/names.js';
import {
  BOUND_CHOICES,
  COUNTED_CHOICES,
  type FieldsGiven,
  MOST_AXES,
  NEW_AXIS,
  type OwnAxisDraft,
  VERIFICATION_CHOICES,
} from './policy-draft.js';

/** All that a policy demands, with what each demand means. */
export const PolicyFields = ({ place, ...given }: FieldsGiven & { readonly place: ProjectPlace }) => {
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
          {number('threshold', '/threshold', 'Minimum readiness score', '0 to 100. Below it the gate holds.')}
          <p class="small soft measure">
            An axis below its minimum holds; one that must be measured and is not leaves the decision unknown. An axis
            of weight 0 is shown and decides nothing.
          </p>
          <AxisFields {...given} />
        </div>
      </Panel>
      <Panel title="Quality and verification">
        <div class="stack">
          {number(
            'bugs',
            '/max_open_critical_bugs',
            'Open critical bugs at most',
            'Holds above this. Leave empty for no limit.',
          )}
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
            'Minimum finished deployments',
            'With fewer, stability is unmeasured.',
          )}
          <Choice
            label="Failure rate that the minimum of stability applies to"
            hint="One success of one says little: the upper end of the 95 % interval takes that into account."
            value={draft.bound}
            choices={BOUND_CHOICES}
            onValue={(bound) => change({ bound })}
          />
        </div>
      </Panel>
      {isOffered('own-axes') || draft.own.length > 0 ? (
        <Panel title="Own axes">
          <OwnAxisFields {...given} />
        </Panel>
      ) : null}
      <Panel title="Silent sources">
        {number(
          'silence',
          '/silence_hours',
          'Hours without a report until a source counts as silent',
          'Silence is named beside the score and changes nothing in it. Empty: any silence that is unusual for the source.',
        )}
      </Panel>
    </>
  );
};

/** What each axis must reach, how much it counts, and whether it must be measured. */
const AxisFields = ({ draft, wrong, change }: FieldsGiven) => {
  const within = (name: 'weights' | 'minimums', axis: Axis) => (value: string) =>
    change({ [name]: { ...draft[name], [axis]: value } });
  return (
    <div class="axis-fields">
      <span class="head axis-name">Axis</span>
      <span class="head">Minimum</span>
      <span class="head">Weight</span>
      <span class="head">Must be measured</span>
      {AXES_IN_ORDER.map((axis) => {
        const title = AXIS_TITLES[axis];
        return (
          <>
            <strong class="axis-name">{title}</strong>
            <NumberCell
              label={`Minimum of ${title}`}
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
            <Checkbox
              label={<span class="unseen">{title} must be measured</span>}
              checked={draft.required.includes(axis)}
              onChecked={(checked) =>
                change({
                  required: AXES_IN_ORDER.filter((each) => (each === axis ? checked : draft.required.includes(each))),
                })
              }
            />
          </>
        );
      })}
    </div>
  );
};

interface NumberCellProps {
  readonly label: string;
  readonly value: string;
  readonly wrong: string | undefined;
  readonly onValue: (value: string) => void;
}

const NumberCell = ({ label, value, wrong, onValue }: NumberCellProps) => {
  const id = useId();
  return (
    <div>
      <input
        class="input"
        inputMode="decimal"
        aria-label={label}
        aria-invalid={wrong === undefined ? undefined : 'true'}
        aria-describedby={wrong === undefined ? undefined : id}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      {wrong === undefined ? null : (
        <div class="wrong small" id={id}>
          {wrong}
        </div>
      )}
    </div>
  );
};

/** Which environments count: all, or some of those that were seen, and others by name. */
const EnvironmentField = ({ draft, wrong, change, place }: FieldsGiven & { readonly place: ProjectPlace }) => {
  const [another, setAnother] = useState('');
  const { deployments = [] } = useLatestEnvironments(place).state.value.value ?? {};
  const names = unique([...deployments.map(({ environment }) => environment), ...draft.environments]);
  const add = () => {
    if (another !== '') change({ environments: unique([...draft.environments, another]) });
    setAnother('');
  };
  return (
    <>
      <Choice
        label="Deployments that count"
        value={draft.which}
        choices={[
          ['all', 'Those to every environment'],
          ['named', 'Only those to the environments below'],
        ]}
        onValue={(which) => change({ which })}
        wrong={wrong['/environments']}
      />
      {draft.which === 'all' ? null : (
        <>
          {names.length === 0 ? null : (
            <CheckboxGroup
              legend="Environments"
              hint="Those seen so far; names are compared exactly."
              choices={names.map((name) => [name, name] as const)}
              chosen={draft.environments}
              onChosen={(environments) => change({ environments })}
            />
          )}
          <div class="row">
            <TextField label="Another environment" autocomplete="off" value={another} onValue={setAnother} />
            <Button onClick={add}>Add</Button>
          </div>
        </>
      )}
    </>
  );
};

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();

type Text = Exclude<keyof OwnAxisDraft, 'required' | 'counted'>;

/** Axes beside the five: what each is called and counts, and what is demanded of it. */
const OwnAxisFields = ({ draft, wrong, change }: FieldsGiven) => {
  const put = (at: number, members: Partial<OwnAxisDraft>) =>
    change({ own: draft.own.map((axis, place) => (place === at ? { ...axis, ...members } : axis)) });
  const field = (at: number, axis: OwnAxisDraft, name: Text, member: string, label: string, hint?: string) => (
    <TextField
      label={label}
      hint={hint}
      autocomplete="off"
      value={axis[name]}
      onValue={(value) => put(at, { [name]: value })}
      wrong={wrong[`/own_axes/${at}/${member}`]}
    />
  );
  return (
    <div class="stack">
      <p class="small soft measure">
        A part of a whole that your pipeline reports, such as findings fixed of all findings, or that Shipworthy counts.
        With weight 0 it is shown and decides nothing.
      </p>
      {draft.own.map((axis, at) => (
        // Axes are told apart by their place: a name changes while it is typed.
        <fieldset key={at} class="stack own-axis">
          <legend class="label">{axis.name === '' ? 'New axis' : `Axis ${isolated(axis.name)}`}</legend>
          <div class="row">
            {field(at, axis, 'name', 'name', axis.counted === '' ? 'Name in reports' : 'Name')}
            {field(at, axis, 'title', 'title', 'Title', 'Empty: the name.')}
          </div>
          <Choice
            label="Its numbers come from"
            value={axis.counted}
            choices={COUNTED_CHOICES}
            onValue={(counted) => put(at, { counted, one: '', many: '' })}
          />
          {axis.counted === '' ? (
            <div class="row">
              {field(at, axis, 'one', 'unit', 'Counted in, one', 'Such as finding. Empty: part.')}
              {field(at, axis, 'many', 'unit', 'Counted in, many', 'Such as findings.')}
            </div>
          ) : null}
          <div class="row">
            {field(at, axis, 'minimum', 'minimum', 'Minimum')}
            {field(at, axis, 'weight', 'weight', 'Weight')}
            {axis.counted === ''
              ? field(at, axis, 'fresh', 'fresh_for_hours', 'Report not older than, in hours', 'Empty: any age.')
              : null}
          </div>
          <Checkbox
            label="Must be measured"
            wrong={wrong[`/own_axes/${at}/required`]}
            checked={axis.required}
            onChecked={(required) => put(at, { required })}
          />
          <div class="row">
            <Button onClick={() => change({ own: draft.own.filter((_, place) => place !== at) })}>
              {`Remove ${axis.name === '' ? 'the new axis' : isolated(axis.name)}`}
            </Button>
          </div>
        </fieldset>
      ))}
      {draft.own.length >= MOST_AXES ? null : (
        <div class="row">
          <Button onClick={() => change({ own: [...draft.own, NEW_AXIS] })}>New axis</Button>
        </div>
      )}
    </div>
  );
};
