import { useState } from 'preact/hooks';
import { client } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { navigate } from '../navigation/navigate.js';
import { inProject } from '../navigation/places.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { TextField } from '../parts/field.js';
import { Shown } from '../parts/shown.js';
import { countOf } from '../wording/numbers.js';
import { findablesMatching, findablesOf } from './findable.js';
import { closeOpened } from './shortcuts.js';

const SHOWN = 8;
/** Further projects are found by their own name only. */
const PROJECTS_WITH_RELEASES = 30;

const readFindables = async (signal: AbortSignal) => {
  const teams = (await client.listTeams({ signal })).body.data;
  const places = teams.flatMap((team) => team.projects.map(({ id }) => ({ teamId: team.id, projectId: id })));
  const releases = places.slice(0, PROJECTS_WITH_RELEASES).map(async (place) => {
    const { body } = await client.listReleases({ path: inProject(place), query: { limit: 100 }, signal });
    return [place.projectId, body.data] as const;
  });
  return findablesOf(teams, new Map(await Promise.all(releases)));
};

/** Goes to a project or a release by its name. */
export const Search = () => {
  const [text, setText] = useState('');
  const findables = useResource('findables', readFindables);
  const found = findablesMatching(findables.state.value.value ?? [], text, SHOWN);
  const goTo = (address: string) => {
    closeOpened();
    navigate(address);
  };
  return (
    <Dialog
      title="Find a project or a release"
      onClose={closeOpened}
      onSubmit={() => {
        if (found[0] !== undefined) goTo(found[0].address);
      }}
    >
      <TextField
        label="Name"
        hint="Enter goes to the first one."
        type="search"
        autocomplete="off"
        value={text}
        onValue={setText}
      />
      <Shown of={findables}>
        {() => (
          <>
            <p class="small soft" role="status">
              {found.length === 0
                ? 'Nothing of that name.'
                : text.trim() === ''
                  ? 'All of them, the first few.'
                  : `${countOf(found.length, 'place')}${found.length === SHOWN ? ' or more' : ''}.`}
            </p>
            <ul class="found">
              {found.map(({ title, about, address }) => (
                <li key={address}>
                  {/* The address is followed by the application's own handling of links. */}
                  <a href={address} onClick={closeOpened}>
                    {title} <span class="small soft">{about}</span>
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
      </Shown>
      <div>
        <Button onClick={closeOpened}>Close</Button>
      </div>
    </Dialog>
  );
};
