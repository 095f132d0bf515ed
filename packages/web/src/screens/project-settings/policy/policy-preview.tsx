import type { PolicyPreview, PolicyRequest } from '@shipworthy/client';
import { useRef } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { useResource } from '../../../api/resource.js';
import { inProject, type ProjectPlace, projectKey, releaseAddress } from '../../../navigation/places.js';
import { useSettled } from '../../../parts/field.js';
import { FaultNotice } from '../../../parts/notice.js';
import { Panel } from '../../../parts/page.js';
import { DecisionBadge } from '../../../parts/score-figure.js';
import { Skeleton } from '../../../parts/shown.js';
import { countOf, scoreDigits } from '../../../wording/numbers.js';

const LISTED = 12;

const score = (value: number | null): string => (value === null ? 'no score' : scoreDigits(value));

const Rows = ({ preview, place }: { readonly preview: PolicyPreview; readonly place: ProjectPlace }) => {
  const held = new Set(preview.would_have_held);
  return (
    <ul class="preview">
      {preview.releases.slice(0, LISTED).map(({ release, before, after, flips }) => (
        <li key={release.id}>
          <span>
            <a href={releaseAddress({ ...place, releaseId: release.id })}>{release.name}</a>{' '}
            <span class="small soft">{release.state}</span>
          </span>
          <span class="flip">
            <DecisionBadge decision={before.decision} />
            {flips ? (
              <>
                {' → '}
                <DecisionBadge decision={after.decision} />
              </>
            ) : null}
          </span>
          <span class="small soft">
            {score(before.score) === score(after.score)
              ? score(after.score)
              : `${score(before.score)} → ${score(after.score)}`}
            {held.has(release.id) ? '; shipped with failed deployments, would have been held' : ''}
          </span>
        </li>
      ))}
    </ul>
  );
};

const Outcome = ({ preview, place }: { readonly preview: PolicyPreview; readonly place: ProjectPlace }) => {
  const { considered, flips, would_have_held_count: held } = preview;
  if (considered === 0) return <p class="soft">There is no release yet whose decision could change.</p>;
  return (
    <div class="stack">
      <p role="status">
        <strong>
          {flips === 0 ? 'No decision changes' : `${countOf(flips, 'decision')} of ${considered} changes`}
        </strong>
        {held === 0
          ? '.'
          : `; ${countOf(held, 'release')} that shipped and had failed deployments would have been held.`}
      </p>
      <Rows preview={preview} place={place} />
      {considered > LISTED ? (
        <p class="small soft">
          The first {LISTED} of {countOf(considered, 'release')}; those that change come first.
        </p>
      ) : null}
    </div>
  );
};

interface PreviewProps {
  readonly policy: PolicyRequest;
  /** Whether something in it is wrong, so that it cannot be judged by. */
  readonly wrong: boolean;
  readonly place: ProjectPlace;
}

const Judged = ({ policy, place }: { readonly policy: string; readonly place: ProjectPlace }) => {
  const last = useRef<PolicyPreview | undefined>(undefined);
  const preview = useResource(projectKey(place, `preview/${policy}`), async (signal) => {
    const body: PolicyRequest = JSON.parse(policy);
    return (await client.previewPolicy({ path: inProject(place), body, signal })).body.data;
  });
  const { value, fault, reading } = preview.state.value;
  last.current = value ?? last.current;
  if (fault !== undefined) return <FaultNotice fault={fault} onRetry={() => void preview.refresh()} />;
  if (last.current === undefined) return <Skeleton />;
  return (
    <div aria-busy={reading}>
      <Outcome preview={last.current} place={place} />
    </div>
  );
};

/** What the releases would be told by the policy in the form, before anybody saves it. */
export const Preview = ({ policy, wrong, place }: PreviewProps) => {
  // A wrong policy is never asked about, not even for the moment until its correction has settled.
  const settled = useSettled(wrong ? null : JSON.stringify(policy));
  const judged = settled === null ? <Skeleton /> : <Judged policy={settled} place={place} />;
  return (
    <Panel title="What it would decide">{wrong ? <p class="soft">Correct what is marked to see it.</p> : judged}</Panel>
  );
};
