import { useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { useResource } from '../../../api/resource.js';
import { inProject, type ProjectPlace, projectKey } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Choice, TextField } from '../../../parts/field.js';
import { Ticks } from '../../../parts/tick.js';
import type { FieldsGiven } from './policy-draft.js';

/** So many deployments tell which environments there are. */
const LOOKED_AT = 200;

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();

/** Which environments count: all, or some of those that were seen, and others by name. */
export const EnvironmentField = ({ draft, wrong, change, place }: FieldsGiven & { readonly place: ProjectPlace }) => {
  const [another, setAnother] = useState('');
  const seen = useResource(projectKey(place, 'environments'), async (signal) => {
    const { body } = await client.listDeployments({ path: inProject(place), query: { limit: LOOKED_AT }, signal });
    return unique(body.data.map(({ environment }) => environment));
  });
  const names = unique([...(seen.state.value.value ?? []), ...draft.environments]);
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
            <Ticks
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
