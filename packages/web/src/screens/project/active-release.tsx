import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import {
  inRelease,
  type ProjectPlace,
  type ReleasePlace,
  releaseAddress,
  releaseKey,
} from '../../navigation/places.js';
import { DecisionBadge } from '../../parts/decision-badge.js';
import { Panel } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { coverageText, scoreText } from '../../wording/numbers.js';

const Standing = ({ place, name }: { readonly place: ReleasePlace; readonly name: string }) => {
  const readiness = useResource(releaseKey(place, 'readiness'), async (signal) => {
    const { body } = await client.readReadiness({ path: inRelease(place), signal });
    return body.data;
  });
  return (
    <Shown of={readiness} lines={3}>
      {({ gate, score, axes }) => (
        <div class="standing">
          <p class="standing-score number">{score === null ? '–' : scoreText(score)}</p>
          <div class="stack">
            <p class="row">
              <DecisionBadge decision={gate.decision} />
              <span class="soft">{coverageText(axes)}</span>
            </p>
            <p>{gate.reasons.find(({ waived }) => !waived)?.message ?? 'Nothing stands in the way.'}</p>
            <p>
              <a href={releaseAddress(place)}>Scorecard of {name}</a>
            </p>
          </div>
        </div>
      )}
    </Shown>
  );
};

interface ActiveReleaseProps {
  readonly release: { readonly id: string; readonly name: string } | null;
  readonly place: ProjectPlace;
}

/** How the release that is being worked on stands. */
export const ActiveRelease = ({ release, place }: ActiveReleaseProps) => (
  <Panel title={release === null ? 'No active release' : `Active release ${release.name}`}>
    {release === null ? (
      <p class="soft">
        Reports count for the active release. Open a planned one below and make it active, or create a new one.
      </p>
    ) : (
      <Standing place={{ ...place, releaseId: release.id }} name={release.name} />
    )}
  </Panel>
);
