import type { ReleaseSummary } from '@shipworthy/client';
import { Moment } from '../../parts/moment.js';
import { deploymentsText, longText } from './analysis-words.js';

/** How long it took from the first deployment on. */
export const Lead = ({ release }: { readonly release: ReleaseSummary }) => {
  const { first_deployment_at, to_first_success_seconds, to_shipping_seconds } = release.lead;
  if (first_deployment_at === null)
    return <p class="soft">No deployment of its window counts yet: the lead begins with the first one.</p>;
  return (
    <dl class="figures">
      <div>
        <dt>First deployment</dt>
        <dd>
          <Moment at={first_deployment_at} />
        </dd>
      </div>
      <div>
        <dt>To the first success</dt>
        <dd>{to_first_success_seconds === null ? 'not yet' : longText(to_first_success_seconds)}</dd>
      </div>
      <div>
        <dt>To shipping</dt>
        <dd>{to_shipping_seconds === null ? 'not yet' : longText(to_shipping_seconds)}</dd>
      </div>
      <div>
        <dt>Deployments</dt>
        <dd class="words">{deploymentsText(release.deployments)}</dd>
      </div>
    </dl>
  );
};
