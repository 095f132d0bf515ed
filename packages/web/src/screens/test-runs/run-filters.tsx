import type { Release } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { inProject, type ProjectPlace, projectKey } from '../../navigation/places.js';
import { Choice } from '../../parts/field.js';

export interface RunFilter {
  /** Empty: all. */
  readonly suite: string;
  readonly release: string;
}

interface RunFiltersProps {
  readonly place: ProjectPlace;
  readonly filter: RunFilter;
  readonly releases: readonly Release[];
  readonly onChange: (change: Partial<RunFilter>) => void;
}

/** Suites of the latest 200 runs, by name. */
const useSuites = (place: ProjectPlace): readonly string[] => {
  const suites = useResource(projectKey(place, 'suites'), async (signal) => {
    const { body } = await client.listTestRuns({ path: inProject(place), query: { limit: 200 }, signal });
    return [...new Set(body.data.map(({ suite }) => suite).filter((suite) => suite !== null))].sort();
  });
  return suites.state.value.value ?? [];
};

/** Which of the test runs to show. */
export const RunFilters = ({ place, filter, releases, onChange }: RunFiltersProps) => {
  const known = useSuites(place);
  const suites = filter.suite === '' || known.includes(filter.suite) ? known : [filter.suite, ...known];
  return (
    <div class="filters">
      <Choice
        label="Suite"
        value={filter.suite}
        choices={[['', 'All suites'], ...suites.map((suite) => [suite, suite] as const)]}
        onValue={(suite) => onChange({ suite })}
      />
      <Choice
        label="Release"
        value={filter.release}
        choices={[['', 'All releases'], ...releases.map(({ id, name }) => [id, name] as const)]}
        onValue={(release) => onChange({ release })}
      />
    </div>
  );
};
