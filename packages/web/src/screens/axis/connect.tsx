import type { ReadinessReport, Release } from '@shipworthy/client';
import { useMay } from '../../api/role.js';
import { projectAddress, type ReleasePlace, releaseAddress, SETTINGS } from '../../navigation/places.js';
import { CopyText } from '../../parts/copy-text.js';
import { Empty } from '../../parts/page.js';
import type { AxisName } from '../../wording/names.js';
import { deployCommand, deployPosting, testCommand, testPosting } from '../../wording/report-lines.js';

interface ConnectProps {
  readonly axis: AxisName;
  readonly report: ReadinessReport;
  readonly release: Release;
  readonly place: ReleasePlace;
}

const Lines = ({ command, posting }: { readonly command: string; readonly posting: string }) => (
  <>
    <CopyText label="the line for a pipeline" text={command} />
    <CopyText label="the same with curl" text={posting} />
    <p class="small">
      Both need an API key: <a href={SETTINGS}>create one in Settings</a>.
    </p>
  </>
);

/** How an axis nothing is listed under gets something to count. */
export const Connect = ({ axis, report, release, place }: ConnectProps) => {
  const project = projectAddress(place);
  const app = report.project.name;
  const [isMember, isOwner] = [useMay(place.teamId, 'member'), useMay(place.teamId, 'owner')];
  if (axis === 'ops')
    return (
      <Empty title="The checklist has no item">
        <a class="button" href={`${releaseAddress(place)}/checklist`}>
          Open the launch checklist
        </a>
      </Empty>
    );
  if (axis === 'verification')
    return (
      <Empty title="No test run yet">
        <p>Record one by hand, or let your pipeline send it.</p>
        {isMember ? (
          <a class="button" href={`${project}/test-runs/record`}>
            Record test run
          </a>
        ) : null}
        <Lines command={testCommand(app)} posting={testPosting(place)} />
      </Empty>
    );
  if (axis === 'stability')
    return (
      <Empty title="No deployment yet">
        <p>
          {release.starts_at === null
            ? 'Deployments count from the moment the release becomes active.'
            : 'Let your pipeline report each one.'}
        </p>
        <Lines command={deployCommand(app)} posting={deployPosting(app)} />
      </Empty>
    );
  return (
    <Empty title={axis === 'scope' ? 'No issue yet' : 'No bug'}>
      <p>
        {axis === 'scope'
          ? 'Issues are entered by hand, or come from the milestone of a linked repository.'
          : 'Bugs are issues of type bug. With issues and no bug, quality is 100.'}
      </p>
      <div class="row">
        {isMember ? (
          <a class="button" href={`${project}/issues`}>
            Enter issues
          </a>
        ) : null}
        {isOwner ? (
          <a class="button" href={`${project}/settings/repository`}>
            Link a repository
          </a>
        ) : null}
      </div>
    </Empty>
  );
};
