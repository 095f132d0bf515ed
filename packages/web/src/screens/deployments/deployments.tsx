import { useRoute } from 'preact-iso';
import { useProject } from '../../api/project.js';
import { HOME, projectAddress } from '../../navigation/places.js';
import { useQuery } from '../../navigation/use-query.js';
import { Page } from '../../parts/page.js';
import { ProjectNav } from '../../parts/project-nav.js';
import { Shown } from '../../parts/shown.js';
import '../../parts/records.css';
import './deployments.css';
import { NotCounted } from './not-counted.js';
import { Received } from './received.js';

/** The deployments of a project, and what of all it was told counts for nothing. */
export const Deployments = () => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const [{ view, kind, environment = '', status = '' }, change] = useQuery();
  const project = useProject(place);
  const name = project.state.value.value?.name;
  const here = `${projectAddress(place)}/deployments`;
  const isLeftOut = view === 'not-counted';
  return (
    <Page
      title={
        name
          ? isLeftOut
            ? `Accepted by ${name}, but not counted`
            : `Deployments of ${name}`
          : project.state.value.fault && 'Deployments'
      }
      crumbs={
        name === undefined
          ? []
          : [['Projects', HOME], [name, projectAddress(place)], ...(isLeftOut ? [['Deployments', here] as const] : [])]
      }
      lead={isLeftOut ? 'Nothing here is lost: each record is kept, and says why it counts for no release.' : undefined}
      actions={
        isLeftOut ? undefined : (
          <a class="button" href={`${here}?view=not-counted`}>
            What is not counted
          </a>
        )
      }
    >
      <ProjectNav place={place} />
      <Shown of={project} lines={8}>
        {(about) => (
          <div class="stack wide">
            {isLeftOut ? (
              <NotCounted
                place={place}
                kind={kind === 'test_run' ? 'test_run' : 'deployment'}
                onKind={(chosen) => change({ kind: chosen })}
              />
            ) : (
              <Received project={about} place={place} environment={environment} status={status} onChange={change} />
            )}
          </div>
        )}
      </Shown>
    </Page>
  );
};
