import type { Release } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { usePaged } from '../../api/paged.js';
import { useProject } from '../../api/project.js';
import { useMay } from '../../api/role.js';
import { HOME, inProject, type ProjectPlace, projectKey, releaseAddress } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Empty, Page } from '../../parts/page.js';
import { ProjectNav } from '../../parts/project-nav.js';
import { Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import { dateText } from '../../wording/moments.js';
import { RELEASE_STATES } from '../../wording/names.js';
import { ActiveRelease } from './active-release.js';
import { NewRelease } from './new-release.js';
import './project.css';
import { RepositoryHealth } from './repository-health.js';

const dateOr = (at: string | null) => (at === null ? <span class="none">–</span> : dateText(at));

const Row = ({ release, place }: { readonly release: Release; readonly place: ProjectPlace }) => (
  <tr>
    <th scope="row" data-head="Release">
      <a href={releaseAddress({ ...place, releaseId: release.id })}>{release.name}</a>
    </th>
    <td data-head="State">{RELEASE_STATES[release.state]}</td>
    <td data-head="Window starts">{dateOr(release.starts_at)}</td>
    <td data-head="Target">{dateOr(release.target_at)}</td>
    <td data-head="Ended">{dateOr(release.shipped_at ?? release.canceled_at)}</td>
  </tr>
);

/** A project: its active release, all its releases, and where its issues come from. */
export const ProjectScreen = () => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const project = useProject(place);
  const releases = usePaged(projectKey(place, 'releases'), async (query, signal) => {
    const { body } = await client.listReleases({ path: inProject(place), query, signal });
    return body;
  });
  const member = useMay(teamId, 'member');
  const [planning, setPlanning] = useState(false);
  const known = project.state.value.value;
  const plan = (
    <Button look="main" onClick={() => setPlanning(true)}>
      <Icon name="plus" />
      New release
    </Button>
  );
  return (
    <Page
      title={known?.name ?? (project.state.value.fault && 'Project')}
      crumbs={known ? [['Projects', HOME]] : []}
      actions={member && known ? plan : undefined}
    >
      <ProjectNav place={place} />
      <Shown of={project}>
        {({ active_release, repository }) => (
          <div class="stack wide">
            <div class="project-top">
              <ActiveRelease release={active_release} place={place} />
              <RepositoryHealth place={place} linked={repository != null} />
            </div>
            <Shown of={releases}>
              {({ rows, next }) =>
                rows.length === 0 ? (
                  <Empty title="No release yet">
                    <p>Create one, or import milestones from a linked repository.</p>
                    {member ? plan : null}
                  </Empty>
                ) : (
                  <>
                    <Table cards label="Releases" heads={['Release', 'State', 'Window starts', 'Target', 'Ended']}>
                      {rows.map((release) => (
                        <Row key={release.id} release={release} place={place} />
                      ))}
                    </Table>
                    {next === null ? null : (
                      <div>
                        <Button busy={releases.more.running} onClick={() => void releases.more.run()}>
                          Show more
                        </Button>
                      </div>
                    )}
                  </>
                )
              }
            </Shown>
          </div>
        )}
      </Shown>
      {planning ? <NewRelease place={place} onClose={() => setPlanning(false)} /> : null}
    </Page>
  );
};
