import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { projectAddress, teamAddress } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Moment } from '../../parts/moment.js';
import { FaultNotice } from '../../parts/notice.js';
import { Empty } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import { offerUndo } from '../../parts/undo.js';
import { isolated } from '../../wording/isolate.js';
import { SettingsPage } from './settings-page.js';

/** A team or a project that is left out of the portfolio. */
interface ArchivedPlace {
  readonly id: string;
  readonly teamId: string;
  readonly what: 'Team' | 'Project';
  readonly name: string;
  readonly address: string;
  readonly at: string;
  readonly restore: () => Promise<unknown>;
  readonly archive: () => Promise<unknown>;
}

/** What is archived in the person's teams, by team and project. */
const readArchived = async (signal: AbortSignal): Promise<readonly ArchivedPlace[]> => {
  const { body } = await client.listTeams({ signal });
  return body.data.flatMap((team) => [
    ...(team.archived_at === null
      ? []
      : [
          {
            id: team.id,
            teamId: team.id,
            what: 'Team' as const,
            name: isolated(team.name),
            address: teamAddress(team.id),
            at: team.archived_at,
            restore: () => client.restoreTeam({ path: { team_id: team.id } }),
            archive: () => client.archiveTeam({ path: { team_id: team.id } }),
          },
        ]),
    ...team.projects.flatMap(({ id, name, archived_at: at }) =>
      at === null
        ? []
        : [
            {
              id,
              teamId: team.id,
              what: 'Project' as const,
              name: `${isolated(team.name)} / ${isolated(name)}`,
              address: projectAddress({ teamId: team.id, projectId: id }),
              at,
              restore: () => client.restoreProject({ path: { team_id: team.id, project_id: id } }),
              archive: () => client.archiveProject({ path: { team_id: team.id, project_id: id } }),
            },
          ],
    ),
  ]);
};

/** The archived teams and projects, each with a button that restores it. */
export const Archived = () => {
  const archived = useResource('archived', readArchived);
  return (
    <SettingsPage title="Archived">
      <Shown of={archived}>
        {(places) =>
          places.length === 0 ? (
            <Empty title="Nothing is archived">
              <p>Owners archive projects in their settings, and teams on the screen of their members.</p>
            </Empty>
          ) : (
            <Table cards label="Archived" heads={['Name', 'What', 'Archived', { number: 'Action' }]}>
              {places.map((place) => (
                <Row key={place.id} place={place} onRestored={() => void archived.refresh()} />
              ))}
            </Table>
          )
        }
      </Shown>
    </SettingsPage>
  );
};

const Row = ({ place, onRestored }: { readonly place: ArchivedPlace; readonly onRestored: () => void }) => {
  const owner = useMay(place.teamId, 'owner');
  const restore = useAction(async () => {
    await place.restore();
    onRestored();
    offerUndo(`${place.name}: restored.`, async () => {
      await place.archive();
      onRestored();
    });
  });
  return (
    <tr>
      <th scope="row" data-head="Name">
        <a href={place.address}>{place.name}</a>
      </th>
      <td data-head="What">{place.what}</td>
      <td data-head="Archived">
        <Moment at={place.at} />
      </td>
      <td class="number">
        {owner ? (
          <Button compact busy={restore.running} label={`Restore ${place.name}`} onClick={() => void restore.run()}>
            Restore
          </Button>
        ) : (
          <span class="small soft">An owner restores it</span>
        )}
        {restore.fault === undefined ? null : <FaultNotice fault={restore.fault} />}
      </td>
    </tr>
  );
};
