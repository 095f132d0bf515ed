import type { TestRun } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { client } from '../../../api/client.js';
import { useProject, useReleases } from '../../../api/project.js';
import { useResource } from '../../../api/resource.js';
import { useMay } from '../../../api/session.js';
import {
  HOME,
  inRelease,
  type ProjectPlace,
  projectAddress,
  type ReleasePlace,
  releaseAddress,
  releaseKey,
} from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Notice } from '../../../parts/notice.js';
import { PageFrame, ProjectNav } from '../../../parts/page.js';
import { Shown } from '../../../parts/shown.js';
import { standingsOf } from '../../../wording/names.js';
import { countOf, countText, coverageText, gainText, scoreDigits } from '../../../wording/numbers.js';
import { MayNot, RecordForm } from './record-form.js';

/** Records a test run by hand or from a report file, and says what it came to. */
export const RecordTestRun = () => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const project = useProject(place);
  const releases = useReleases(place);
  const member = useMay(teamId, 'member');
  const [recorded, setRecorded] = useState<TestRun | undefined>(undefined);
  const name = project.state.value.value?.name;
  const list = `${projectAddress(place)}/test-runs`;
  return (
    <PageFrame
      title={name ? `Record a test run of ${name}` : project.state.value.fault && 'Record a test run'}
      crumbs={
        name === undefined
          ? []
          : [
              ['Projects', HOME],
              [name, projectAddress(place)],
              ['Test runs', list],
            ]
      }
    >
      <ProjectNav place={place} />
      <Shown of={project} lines={6}>
        {() =>
          recorded === undefined ? (
            <Shown of={releases} lines={6}>
              {(known) =>
                !member ? <MayNot /> : <RecordForm place={place} releases={known} onRecorded={setRecorded} />
              }
            </Shown>
          ) : (
            <Recorded run={recorded} place={place}>
              <Button onClick={() => setRecorded(undefined)}>Record another one</Button>
              <a href={list}>All test runs</a>
            </Recorded>
          )
        }
      </Shown>
    </PageFrame>
  );
};

interface RecordedProps {
  readonly run: TestRun;
  readonly place: ProjectPlace;
  readonly children?: ComponentChildren;
}

/** What became of a test run that was just recorded: which release it counts for, and what it did to the score. */
export const Recorded = ({ run, place, children }: RecordedProps) => {
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => told.current?.focus(), [run.id]);
  const contribution = run.attribution.releases[0]?.contribution;
  return (
    <div ref={told} tabIndex={-1} role="status" class="recorded">
      <Notice look="good">
        <p>
          <strong>
            Recorded: {countText(run.passed)} of {countOf(run.total, 'test')} passed.
          </strong>
        </p>
        {standingsOf(run.attribution).map(({ release, why }) => (
          <p key={release.id}>
            {why === null ? `It counts for ${release.name}.` : `It does not count for ${release.name}: ${why}.`}
          </p>
        ))}
        {contribution === undefined ? null : (
          <Change contribution={contribution} place={{ ...place, releaseId: run.release_id }} />
        )}
        <div class="row">
          <a class="button main" href={releaseAddress({ ...place, releaseId: run.release_id })}>
            See the scorecard
          </a>
          {children}
        </div>
      </Notice>
    </div>
  );
};

type Contribution = NonNullable<TestRun['attribution']['releases'][number]['contribution']>;

interface ChangeProps {
  readonly contribution: Contribution;
  readonly place: ReleasePlace;
}

/** What the run did to the score, with what the score was measured on. */
const Change = ({ contribution, place }: ChangeProps) => {
  const coverage = useResource(releaseKey(place, 'coverage'), async (signal) => {
    const { body } = await client.readReadiness({ path: inRelease(place), signal });
    return coverageText(body.data.axes);
  });
  const measured = coverage.state.value.value;
  const { score_with: after, score_without: before } = contribution;
  const gained = before === null || after === null ? 0 : after - before;
  return (
    <p>
      Readiness{' '}
      <span class="number">
        {scored(before)} <span aria-hidden="true">→</span>
        <span class="unseen">became</span> <strong>{scored(after)}</strong>
        {gained > 0 ? ` (${gainText(gained)})` : null}
      </span>
      {measured === undefined ? null : `, ${measured}`}
    </p>
  );
};

const scored = (score: number | null): string => (score === null ? 'not measured' : scoreDigits(score));
