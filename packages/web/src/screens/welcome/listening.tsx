import { useEffect } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { inProject, type ProjectPlace, projectAddress, projectKey, releaseAddress } from '../../navigation/places.js';
import { Notice } from '../../parts/notice.js';
import { countOf } from '../../wording/numbers.js';

/** Events usually bring the news; this is for networks that swallow event streams. */
const LOOK_AGAIN_MS = 5_000;

/** Waits for the first report in front of the person's eyes. */
export const Listening = ({ place }: { readonly place: ProjectPlace }) => {
  const received = useResource(projectKey(place, 'received'), async (signal) => {
    const path = inProject(place);
    const [{ body: runs }, { body: deployments }, { body: project }] = await Promise.all([
      client.listTestRuns({ path, query: { limit: 1 }, signal }),
      client.listDeployments({ path, query: { limit: 1 }, signal }),
      client.readProject({ path, signal }),
    ]);
    return { run: runs.data[0], deployment: deployments.data[0], release: project.data.active_release };
  });
  const { run, deployment, release } = received.state.value.value ?? {};
  const waiting = run === undefined && deployment === undefined;
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => void received.refresh(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [waiting, received]);

  return (
    <div role="status" class="stack">
      {waiting ? (
        <p class="listening">
          <span class="pulse" aria-hidden="true" />
          Listening for the first report …
        </p>
      ) : (
        <Notice look="good">
          <p>
            Received:{' '}
            {[
              run === undefined ? '' : `${run.passed} of ${countOf(run.total, 'test')} passed`,
              deployment === undefined ? '' : `a deployment to ${deployment.environment}`,
            ]
              .filter(Boolean)
              .join(' and ')}
            .
          </p>
          <p>
            <a
              class="button main"
              href={release == null ? projectAddress(place) : releaseAddress({ ...place, releaseId: release.id })}
            >
              See the scorecard
            </a>
          </p>
        </Notice>
      )}
    </div>
  );
};
