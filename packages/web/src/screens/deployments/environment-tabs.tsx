import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { inProject, type ProjectPlace, projectAddress, projectKey } from '../../navigation/places.js';
import { countText } from '../../wording/numbers.js';
import { environmentsOf } from './environments.js';

const LATEST = 200;

interface EnvironmentTabsProps {
  readonly place: ProjectPlace;
  /** Empty: all. */
  readonly environment: string;
  readonly status: string;
}

/** Where it was deployed to, with how many of the latest deployments went there. */
export const EnvironmentTabs = ({ place, environment, status }: EnvironmentTabsProps) => {
  const latest = useResource(projectKey(place, 'environments'), async (signal) => {
    const { body } = await client.listDeployments({ path: inProject(place), query: { limit: LATEST }, signal });
    return { count: body.data.length, found: environmentsOf(body.data), isAll: body.next_cursor === null };
  });
  const known = latest.state.value.value;
  if (known === undefined) return <div class="environments" />;
  const { count, found, isAll } = known;
  const missing = environment !== '' && !found.some((each) => each.environment === environment);
  const tabs = [{ environment: '', count }, ...found, ...(missing ? [{ environment, count: 0 }] : [])];
  const addressOf = (wanted: string) => {
    const kept = Object.entries({ environment: wanted, status }).filter(([, value]) => value !== '');
    return `${projectAddress(place)}/deployments${kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`}`;
  };
  return (
    <nav class="environments" aria-label="Environments">
      <ul>
        {tabs.map((tab) => (
          <li key={tab.environment}>
            <a href={addressOf(tab.environment)} aria-current={tab.environment === environment ? 'true' : undefined}>
              {tab.environment === '' ? 'All environments' : tab.environment}{' '}
              <span class="number soft">{countText(tab.count)}</span>
            </a>
          </li>
        ))}
      </ul>
      {isAll ? null : <p class="small soft">Counted in the latest {countText(count)} deployments.</p>}
    </nav>
  );
};
