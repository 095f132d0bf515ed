import type { RepositoryLink } from '@shipworthy/client';
import { HOST_SETTINGS } from '../../../navigation/places.js';
import { Moment } from '../../../parts/moment.js';
import { Notice } from '../../../parts/notice.js';
import { momentText } from '../../../wording/moments.js';
import { countOf } from '../../../wording/numbers.js';

type Import = RepositoryLink['import'];

const STAGES: Readonly<Record<NonNullable<Import['stage']>, string>> = {
  milestones: 'milestones',
  issues: 'issues',
  gone: 'what is gone',
  deployments: 'deployments',
  open_deployments: 'deployments under way',
  test_runs: 'test runs',
};

const countsText = ({ milestones, issues, deployments, test_runs }: Import['counts']): string =>
  [
    countOf(milestones, 'milestone'),
    countOf(issues, 'issue'),
    countOf(deployments, 'deployment'),
    countOf(test_runs, 'test run'),
  ].join(', ');

const Reading = ({ of }: { readonly of: Import }) => (
  <p>
    <strong>{of.completed_at === null ? 'Reading it for the first time' : 'Reading what is new'}</strong>
    {of.stage === null ? '' : `: ${STAGES[of.stage]}`}. So far {countsText(of.counts)}.
  </p>
);

/** Where the import stands, in words. */
export const ImportState = ({ of }: { readonly of: Import }) => {
  const { state, message, failure, completed_at, next_at, counts } = of;
  return (
    <div class="stack">
      <div role="status">
        {state === 'running' ? <Reading of={of} /> : null}
        {state === 'waiting' ? (
          <p>{message ?? (completed_at === null ? 'It is read in a moment.' : 'It is read again in a moment.')}</p>
        ) : null}
        {state === 'idle' ? (
          <p>
            <strong>Up to date.</strong> The last reading brought {countsText(counts)}.
          </p>
        ) : null}
        {state === 'failing' ? (
          <Notice look="attention">
            <p>
              <strong>The last attempt did not go through.</strong> {failure?.message} {message} It is tried again,{' '}
              {momentText(next_at)}.
            </p>
          </Notice>
        ) : null}
        {state === 'stopped' ? (
          <Notice look="bad">
            <p>
              <strong>It stands still.</strong> {message}
            </p>
            <p>
              <a href={HOST_SETTINGS}>Your own connection</a>
            </p>
          </Notice>
        ) : null}
      </div>
      <p class="small soft">
        {completed_at === null ? (
          'Scope and quality follow once it was read for the first time.'
        ) : (
          <>
            As of <Moment at={completed_at} />
            {state === 'idle' ? (
              <>
                , read again <Moment at={next_at} />
              </>
            ) : null}
            .
          </>
        )}
      </p>
    </div>
  );
};
