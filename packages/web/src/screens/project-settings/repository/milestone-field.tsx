import { useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { useResource } from '../../../api/resource.js';
import { inProject, type ProjectPlace, projectKey } from '../../../navigation/places.js';
import { TextField } from '../../../parts/field.js';
import { Ticks } from '../../../parts/tick.js';
import { numbersIn } from './link-draft.js';

interface MilestoneFieldProps {
  readonly place: ProjectPlace;
  /** Whether the milestones can be read already. */
  readonly linked: boolean;
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
}

const LISTED = 100;

const ByNumber = ({ chosen, onChosen }: Pick<MilestoneFieldProps, 'chosen' | 'onChosen'>) => {
  const [text, setText] = useState(chosen.join(', '));
  return (
    <TextField
      label="Numbers of the milestones"
      hint="As they stand in their addresses. Once linked, they are listed here."
      placeholder="12, 14"
      value={text}
      onValue={(value) => {
        setText(value);
        onChosen(numbersIn(value));
      }}
    />
  );
};

const FromList = ({ place, chosen, onChosen }: MilestoneFieldProps) => {
  const milestones = useResource(projectKey(place, 'milestones'), async (signal) => {
    const { body } = await client.listMilestones({ path: inProject(place), query: { limit: LISTED }, signal });
    return body.data;
  });
  const { value, fault } = milestones.state.value;
  if (value === undefined && fault === undefined) return <p class="soft">Reading the milestones…</p>;
  if (value === undefined || value.length === 0) return <ByNumber chosen={chosen} onChosen={onChosen} />;
  return (
    <Ticks
      legend="Milestones"
      choices={value.map(({ number, title, state }) => [
        String(number),
        state === 'closed' ? `${title} (closed)` : title,
      ])}
      chosen={chosen}
      onChosen={onChosen}
    />
  );
};

/** Some milestones: from the list where it can be read, else by their numbers. */
export const MilestoneField = (props: MilestoneFieldProps) =>
  props.linked ? <FromList {...props} /> : <ByNumber chosen={props.chosen} onChosen={props.onChosen} />;
