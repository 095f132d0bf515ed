import { client } from '../../api/client.js';
import { inProject, teamAddress } from '../../navigation/places.js';
import { ArchivePanel } from '../../parts/archive.js';
import { Panel } from '../../parts/page.js';
import { RenameForm } from '../../parts/rename-form.js';
import { ProjectPage } from './project-page.js';

/** The project's name, which its reports are matched by, and whether it is archived. */
export const Naming = () => (
  <ProjectPage title="Settings">
    {({ project, place, owner, refresh }) => (
      <>
        {owner ? (
          <RenameForm
            key={project.id}
            what="project"
            name={project.name}
            version={project.version}
            hint="Deployments are matched by this name: change app_name in your pipelines too. Records stay where they are."
            rename={(name, ifMatch) => client.renameProject({ path: inProject(place), body: { name }, ifMatch })}
            onDone={() => void refresh()}
          />
        ) : (
          <Panel title="Name of the project">
            <p>{project.name}</p>
            <p class="small soft">An owner of the team can change it.</p>
          </Panel>
        )}
        {owner ? (
          <ArchivePanel
            what="project"
            archivedAt={project.archived_at}
            archive={() => client.archiveProject({ path: inProject(place) })}
            restore={() => client.restoreProject({ path: inProject(place) })}
            onDone={() => void refresh()}
          />
        ) : null}
        <Panel title="For scripts">
          <dl class="terms">
            <dt>Team id</dt>
            <dd>
              <code>{place.teamId}</code>
            </dd>
            <dt>Project id</dt>
            <dd>
              <code>{place.projectId}</code>
            </dd>
          </dl>
          <p class="below">
            <a href={teamAddress(place.teamId)}>Members of the team</a>
          </p>
        </Panel>
      </>
    )}
  </ProjectPage>
);
