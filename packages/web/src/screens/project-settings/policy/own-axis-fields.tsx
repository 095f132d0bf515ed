import { Button } from '../../../parts/button.js';
import { TextField, Tick } from '../../../parts/field.js';
import { isolated } from '../../../wording/isolate.js';
import { MOST_AXES, NEW_AXIS, type OwnAxisDraft } from './own-axis-draft.js';
import type { FieldsGiven } from './policy-draft.js';

type Text = Exclude<keyof OwnAxisDraft, 'required'>;

/** Axes beside the five: what each is called and counts, and what is demanded of it. */
export const OwnAxisFields = ({ draft, wrong, change }: FieldsGiven) => {
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
        A part of a whole that your pipeline reports, such as findings fixed of all findings. With weight 0 it is shown
        and decides nothing.
      </p>
      {draft.own.map((axis, at) => (
        // Axes are told apart by their place: a name changes while it is typed.
        <fieldset key={at} class="stack own-axis">
          <legend class="label">{axis.name === '' ? 'New axis' : `Axis ${isolated(axis.name)}`}</legend>
          <div class="row">
            {field(at, axis, 'name', 'name', 'Name in reports')}
            {field(at, axis, 'title', 'title', 'Title', 'Empty: the name.')}
          </div>
          <div class="row">
            {field(at, axis, 'one', 'unit', 'Counted in, one', 'Such as finding. Empty: part.')}
            {field(at, axis, 'many', 'unit', 'Counted in, many', 'Such as findings.')}
          </div>
          <div class="row">
            {field(at, axis, 'minimum', 'minimum', 'Minimum')}
            {field(at, axis, 'weight', 'weight', 'Weight')}
            {field(at, axis, 'fresh', 'fresh_for_hours', 'Report not older than, in hours', 'Empty: any age.')}
          </div>
          <Tick
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
