import type { PortfolioEntry, PortfolioPage } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { navigate, useQuery } from '../../navigation/navigate.js';
import { BASE_PATH, projectAddress, UUID } from '../../navigation/places.js';
import { Checkbox, Choice, TextField, useSettled } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { searchQuery } from '../../parts/list-filter.js';
import { isolated } from '../../wording/isolate.js';
import { DECISION_TITLES } from '../../wording/names.js';
import { countOf, countText } from '../../wording/numbers.js';

/** What the gate says of a project: the decision about its active release, `none` where there is no such release. */
type ProjectDecision = NonNullable<PortfolioEntry['readiness']>['decision'] | 'none';

const DECISIONS: readonly (readonly [decision: ProjectDecision, title: string])[] = [
  ['hold', DECISION_TITLES.hold],
  ['unknown', DECISION_TITLES.unknown],
  ['go', DECISION_TITLES.go],
  ['none', 'No active release'],
];

type Silent = 'deployments' | 'test_runs' | 'any';

const SILENT: readonly (readonly [source: Silent | '', title: string])[] = [
  ['', 'All'],
  ['any', 'Any source silent'],
  ['deployments', 'Deployments silent'],
  ['test_runs', 'Test runs silent'],
];

/** A column that the projects can be sorted by. */
export type PortfolioSort = 'project' | 'decision' | 'score' | 'reported';

const SORTS: readonly PortfolioSort[] = ['decision', 'project', 'score', 'reported'];

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined =>
  values.find((value) => value === text);

/** Filter, order and grouping of the list, as the address says them; values that do not exist are ignored. */
export interface PortfolioView {
  readonly text: string;
  readonly decision: ProjectDecision | undefined;
  readonly team: string | undefined;
  readonly silent: Silent | undefined;
  readonly sort: PortfolioSort;
  readonly descending: boolean;
  readonly grouped: boolean;
  readonly change: (members: Partial<Record<'text' | 'decision' | 'team' | 'silent' | 'group', string>>) => void;
  /** Sorts by the column; reverses the order where the list is sorted by that column already. */
  readonly sortBy: (column: PortfolioSort) => void;
}

/** The view in the address, so that Back and a shared link find the same list. */
export const usePortfolioView = (): PortfolioView => {
  const [{ text = '', decision, team, silent, sort, order, group }, change] = useQuery();
  const sorted = oneOf(SORTS, sort) ?? 'decision';
  const descending = order === 'desc';
  return {
    text,
    decision: oneOf(
      DECISIONS.map(([each]) => each),
      decision,
    ),
    team: team !== undefined && UUID.test(team) ? team : undefined,
    silent: oneOf(['any', 'deployments', 'test_runs'], silent),
    sort: sorted,
    descending,
    grouped: group === 'team',
    change,
    sortBy: (column) =>
      change({
        // Releases that need attention come first unless the address says otherwise.
        sort: column === 'decision' ? '' : column,
        order: column === sorted && !descending ? 'desc' : '',
      }),
  };
};

/** Whether the view leaves any project out. */
export const isFiltered = ({ text, decision, team, silent }: PortfolioView): boolean =>
  text.trim() !== '' || decision !== undefined || team !== undefined || silent !== undefined;

const filterOf = ({ text, decision, team, silent }: PortfolioView) => {
  const q = searchQuery(text);
  return { ...(q && { q }), ...(decision && { decision }), ...(team && { team }), ...(silent && { silent }) };
};

/** The query for what the view shows: filter, order and grouping, as they are sent. */
const queryOf = (view: PortfolioView) => ({
  ...filterOf(view),
  sort: view.sort,
  ...(view.descending ? ({ order: 'desc' } as const) : {}),
  ...(view.grouped ? ({ group: 'team' } as const) : {}),
});

export type PortfolioQuery = ReturnType<typeof queryOf>;

/** The query for what the view shows, with the text once typing has paused. */
export const useWanted = (view: PortfolioView): PortfolioQuery => queryOf({ ...view, text: useSettled(view.text) });

/** The address of the whole filtered list as CSV. */
export const tableAddress = (wanted: PortfolioQuery): string =>
  `${BASE_PATH}/api/portfolio.csv?${new URLSearchParams(wanted)}`;

/** How many projects the filter leaves. */
export const matchingCount = ({ counts }: Pick<PortfolioPage, 'counts'>, { decision }: PortfolioView): number =>
  counts === undefined
    ? 0
    : decision === undefined
      ? counts.hold + counts.unknown + counts.go + counts.none
      : counts[decision];

interface FilterProps {
  readonly page: Pick<PortfolioPage, 'counts' | 'teams' | 'total'>;
  readonly view: PortfolioView;
}

/** The number of projects per decision, and the other filters; Enter in the search field opens the first project. */
export const PortfolioFilters = ({ page, view }: FilterProps) => {
  const { text, decision, silent, grouped, change } = view;
  const matching = matchingCount(page, view);
  const openFirst = async () => {
    const { body } = await client.readPortfolio({ query: { ...queryOf(view), limit: 1 } });
    const [first] = body.data;
    if (first !== undefined) navigate(projectAddress({ teamId: first.team.id, projectId: first.project.id }));
  };
  const tab = (wanted: ProjectDecision | undefined, title: string) => (
    <li key={title}>
      <button
        type="button"
        class={wanted}
        aria-pressed={decision === wanted}
        onClick={() => change({ decision: decision === wanted ? '' : (wanted ?? '') })}
      >
        {wanted === undefined || wanted === 'none' ? null : (
          <>
            <Icon name={wanted} />{' '}
          </>
        )}
        {title} <span class="number">{countText(matchingCount(page, { ...view, decision: wanted }))}</span>
      </button>
    </li>
  );
  return (
    <search class="portfolio-filter">
      <ul class="standings" aria-label="Ship gate">
        {tab(undefined, 'All')}
        {DECISIONS.map(([each, title]) => tab(each, title))}
      </ul>
      <div class="row">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void openFirst().catch(() => undefined);
          }}
        >
          <TextField
            label="Find a project"
            type="search"
            placeholder="Name of project or team"
            autocomplete="off"
            value={text}
            onValue={(value) => change({ text: value })}
          />
        </form>
        <TeamChoice page={page} view={view} />
        <Choice label="Sources" value={silent ?? ''} choices={SILENT} onValue={(value) => change({ silent: value })} />
        <Checkbox label="Group by team" checked={grouped} onChecked={(on) => change({ group: on ? 'team' : '' })} />
      </div>
      <p role="status" class="small soft">
        {matching === page.total ? '' : `${countOf(matching, 'project')} of ${countText(page.total ?? 0)}`}
      </p>
    </search>
  );
};

/** A choice of team, each with the number of its projects that pass the other filters. */
const TeamChoice = ({ page: { teams = [] }, view: { team, change } }: FilterProps) => {
  const caller = useResource('whoami', async (signal) => (await client.whoAmI({ signal })).body.data);
  const own = caller.state.value.value?.teams.find(({ id }) => id === team);
  const left = team !== undefined && !teams.some(({ id }) => id === team);
  return (
    <Choice
      label="Team"
      value={team ?? ''}
      choices={[
        ['', 'All teams'],
        ...teams.map(({ id, name, projects }) => [id, `${isolated(name)} (${countText(projects)})`] as const),
        ...(left ? [[team, `${isolated(own?.name ?? 'Another team')} (0)`] as const] : []),
      ]}
      onValue={(value) => change({ team: value })}
    />
  );
};
