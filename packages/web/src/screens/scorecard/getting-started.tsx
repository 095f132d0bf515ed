import type { ComponentChildren } from 'preact';
import { isOffered } from '../../api/session.js';
import { projectAddress, type ReleasePlace, releaseAddress, WELCOME } from '../../navigation/places.js';
import { Panel } from '../../parts/page.js';

interface GettingStartedProps {
  readonly place: ReleasePlace;
  /** The reasons of the gate, for who wants to see them already. */
  readonly children: ComponentChildren;
}

/** What gives a release of which nothing is known its first score, in place of a list of all that is missing. */
export const GettingStarted = ({ place, children }: GettingStartedProps) => {
  const project = projectAddress(place);
  const lines = `${WELCOME}?team=${place.teamId}&project=${place.projectId}`;
  return (
    <Panel title="Getting started">
      <div class="stack">
        <p>
          Nothing was reported for this release yet. Any of these brings the first score; all five axes make it whole.
        </p>
        <ul class="stack tight">
          <li>
            <a href={lines}>Report from your pipeline</a>: a key, and two lines for deployments and test runs.
          </li>
          <li>
            <a href={`${project}/test-runs/record`}>Record a test run</a> by hand, or from a report file.
          </li>
          <li>
            <a href={`${project}/issues`}>Enter issues</a>
            {isOffered('host') ? (
              <>
                , or <a href={`${project}/settings/repository`}>link a repository</a> that has them
              </>
            ) : null}
            .
          </li>
          <li>
            <a href={`${releaseAddress(place)}/checklist`}>Tick the launch checklist</a>.
          </li>
        </ul>
        <details>
          <summary>What the gate requires</summary>
          {children}
        </details>
      </div>
    </Panel>
  );
};
