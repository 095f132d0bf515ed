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
import { ScoreFigure } from '../../parts/score-figure.js';
import { Shown } from '../../parts/shown.js';
import { gateText } from '../../wording/names.js';
import { coverageText } from '../../wording/numbers.js';

const Standing = ({ place, name }: { readonly place: ReleasePlace; readonly name: string }) => {
  const readiness = useResource(releaseKey(place, 'readiness'), async (signal) => {
    const { body } = await client.readReadiness({ path: inRelease(place), signal });
    return body.data;
  });
  return (
    <Shown of={readiness} lines={3}>
      {({ gate, score, coverage, axes }) => (
        <div class="standing">
          <div>
            <ScoreFigure score={score} coverage={coverage} covers={coverageText(axes)} look="standing-score" />
          </div>
          <div class="stack">
            <p class="row">
              <DecisionBadge decision={gate.decision} />
            </p>
            {gate.waivers.length === 0 ? null : <p>{gateText(gate)}</p>}
            <p>
              {gate.reasons.find(({ waived }) => !waived)?.message ??
                (gate.waivers.length === 0 ? 'Nothing stands in the way.' : null)}
            </p>
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
