import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project.js';
import { useResource } from '../../api/resource.js';
import {
  BASE_PATH,
  HOME,
  inRelease,
  projectAddress,
  type ReleasePlace,
  releaseAddress,
  releaseKey,
} from '../../navigation/places.js';
import { useQuery } from '../../navigation/use-query.js';
import { Page } from '../../parts/page.js';
import '../../parts/records.css';
import { Shown } from '../../parts/shown.js';
import { Analysed, type Step } from './analysed.js';
import './analysis.css';
import { NoAnalysis } from './no-analysis.js';

const stepOf = (text: string | undefined): Step => (text === 'week' || text === 'change' ? text : 'day');

const tableAddress = (place: ReleasePlace, table: 'progress' | 'releases', step: Step): string => {
  const { team_id, project_id, release_id } = inRelease(place);
  const query = new URLSearchParams({ table, step });
  return `${BASE_PATH}/api/teams/${team_id}/projects/${project_id}/releases/${release_id}/analysis.csv?${query}`;
};

/** How a release came to be what it is, beside the score and never in it. */
export const Analysis = () => {
  const { teamId = '', projectId = '', releaseId = '' } = useRoute().params;
  const place = { teamId, projectId, releaseId };
  const [query, change] = useQuery();
  const step = stepOf(query.step);
  const project = useProject(place);
  const analysis = useResource(releaseKey(place, `analysis/${step}`), async (signal) => {
    const { body } = await client.readAnalysis({ path: inRelease(place), query: { step }, signal });
    return body.data;
  });
  const app = project.state.value.value?.name;
  const release = analysis.state.value.value?.release.name;
  const name = app !== undefined && release !== undefined ? `${app} ${release}` : undefined;
  return (
    <Page
      title={name ? `Analysis of ${name}` : analysis.state.value.fault && 'Analysis'}
      crumbs={
        app === undefined || release === undefined
          ? []
          : [
              ['Projects', HOME],
              [app, projectAddress(place)],
              [release, releaseAddress(place)],
            ]
      }
      lead="How the release came to be what it is. Nothing here is part of the readiness score."
      actions={
        <>
          <a class="button" href={tableAddress(place, 'progress', step)} download="progress.csv">
            Progress as CSV
          </a>
          <a class="button" href={tableAddress(place, 'releases', step)} download="releases.csv">
            Releases as CSV
          </a>
        </>
      }
    >
      <Shown of={analysis} lines={8}>
        {(known) => (
          <div class="stack wide analysis">
            {known.points.every(({ total, added }) => total + added === 0) ? (
              <NoAnalysis place={place} />
            ) : (
              <Analysed
                analysis={known}
                place={place}
                name={name ?? known.release.name}
                onStep={(chosen) => change({ step: chosen === 'day' ? '' : chosen })}
              />
            )}
          </div>
        )}
      </Shown>
    </Page>
  );
};
