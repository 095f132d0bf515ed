import type { Release, TestRun } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { type Paged, usePaged } from '../../api/paged.js';
import { useProject } from '../../api/project.js';
import { useReleases } from '../../api/releases.js';
import { useMay } from '../../api/role.js';
import { HOME, inProject, type ProjectPlace, projectAddress, projectKey } from '../../navigation/places.js';
import { useQuery } from '../../navigation/use-query.js';
import { Button } from '../../parts/button.js';
import { Empty, Page } from '../../parts/page.js';
import { ProjectNav } from '../../parts/project-nav.js';
import { ShowMore } from '../../parts/show-more.js';
import { Shown } from '../../parts/shown.js';
import { NoRuns } from './no-runs.js';
import { Recorded } from './record/recorded.js';
import { RunFilters } from './run-filters.js';
import { RunTable } from './run-table.js';
import './test-runs.css';
import '../../parts/records.css';

const useRuns = (place: ProjectPlace, suite: string, release: string): Paged<TestRun> => {
  const wanted = { ...(suite === '' ? {} : { suite }), ...(release === '' ? {} : { release_id: release }) };
  return usePaged(projectKey(place, `test-runs?${new URLSearchParams(wanted)}`), async (page, signal) => {
    const { body } = await client.listTestRuns({ path: inProject(place), query: { ...page, ...wanted }, signal });
    return body;
  });
};

const NO_RELEASES: ReadonlySet<string> = new Set();

interface FoundProps {
  readonly runs: Paged<TestRun>;
  readonly place: ProjectPlace;
  /** The releases whose runs the reader may set aside. */
  readonly changeable: ReadonlySet<string>;
  readonly onAll: () => void;
}

/** The open releases: their runs can be set aside. */
const openIdsOf = (releases: readonly Release[]): ReadonlySet<string> =>
  new Set(releases.filter(({ state }) => state === 'planned' || state === 'active').map(({ id }) => id));

const Found = ({ runs, place, changeable, onAll }: FoundProps) => (
  <Shown of={runs} lines={8}>
    {({ rows }) =>
      rows.length === 0 ? (
        <Empty title="No such test run">
          <p>None of this suite was recorded for this release.</p>
          <Button onClick={onAll}>Show all test runs</Button>
        </Empty>
      ) : (
        <div class="stack">
          <RunTable runs={rows} place={place} changeable={changeable} />
          <ShowMore of={runs} rows="test runs" />
        </div>
      )
    }
  </Shown>
);

/** Every test run the project received, latest first: what it came to, and which release it counts for. */
export const TestRuns = () => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const [{ suite = '', release = '' }, change] = useQuery();
  const project = useProject(place);
  const releases = useReleases(place);
  const runs = useRuns(place, suite, release);
  const [member, owner] = [useMay(teamId, 'member'), useMay(teamId, 'owner')];
  const [recorded, setRecorded] = useState<TestRun | undefined>(undefined);
  const name = project.state.value.value?.name;
  const known: readonly Release[] = releases.state.value.value ?? [];
  const isEmpty = suite === '' && release === '' && runs.state.value.value?.rows.length === 0;
  return (
    <Page
      title={name ? `Test runs of ${name}` : project.state.value.fault && 'Test runs'}
      crumbs={
        name === undefined
          ? []
          : [
              ['Projects', HOME],
              [name, projectAddress(place)],
            ]
      }
      actions={
        member && !isEmpty ? (
          <a class="button main" href={`${projectAddress(place)}/test-runs/record`}>
            Record test run
          </a>
        ) : undefined
      }
    >
      <ProjectNav place={place} />
      <Shown of={project} lines={8}>
        {(about) => (
          <div class="stack wide">
            {recorded === undefined ? null : <Recorded run={recorded} place={place} />}
            {isEmpty ? (
              <Shown of={releases}>
                {(all) => (
                  <NoRuns
                    project={about}
                    place={place}
                    releases={all}
                    member={member}
                    onRecorded={(run) => {
                      setRecorded(run);
                      void runs.refresh();
                    }}
                  />
                )}
              </Shown>
            ) : (
              <>
                <RunFilters place={place} filter={{ suite, release }} releases={known} onChange={change} />
                <Found
                  runs={runs}
                  place={place}
                  changeable={owner ? openIdsOf(known) : NO_RELEASES}
                  onAll={() => change({ suite: '', release: '' })}
                />
              </>
            )}
          </div>
        )}
      </Shown>
    </Page>
  );
};
