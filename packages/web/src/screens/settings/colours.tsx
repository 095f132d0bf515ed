import { useId, useState } from 'preact/hooks';
import { Panel } from '../../parts/page.js';
import { chooseScheme, chosenScheme, type Scheme } from '../../scheme/scheme.js';

const CHOICES = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const satisfies readonly (readonly [Scheme, string])[];

/** Light or dark, in this browser. */
export const Colours = () => {
  const name = useId();
  const [chosen, setChosen] = useState(chosenScheme);
  return (
    <Panel title="Colours">
      <fieldset class="row">
        <legend class="unseen">Colours in this browser</legend>
        {CHOICES.map(([scheme, title]) => (
          <label class="tick" key={scheme}>
            <input
              type="radio"
              name={name}
              checked={chosen === scheme}
              onChange={() => {
                chooseScheme(scheme);
                setChosen(scheme);
              }}
            />
            <span>{title}</span>
          </label>
        ))}
      </fieldset>
    </Panel>
  );
};
