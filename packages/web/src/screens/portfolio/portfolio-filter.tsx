import type { PortfolioEntry } from '@shipworthy/client';
import { navigate, useQuery } from '../../navigation/navigate.js';
import { projectAddress } from '../../navigation/places.js';
import { TextField } from '../../parts/field.js';
import { DECISION_TITLES } from '../../wording/names.js';
import { countOf, countText } from '../../wording/numbers.js';

/** What projects are told apart by here: the decision about their active release, `none` where there is no such release. */
type Standing = NonNullable<PortfolioEntry['readiness']>['decision'] | 'none';

const STANDINGS: readonly (readonly [standing: Standing, title: string])[] = [
  ['hold', DECISION_TITLES.hold],
  ['unknown', DECISION_TITLES.unknown],
  ['go', DECISION_TITLES.go],
  ['none', 'No active release'],
];

const standingOf = ({ readiness }: PortfolioEntry): Standing => readiness?.decision ?? 'none';

/** Whether the names of the project and its team hold every word of the text, in any case. */
const holdsWords = ({ project, team }: PortfolioEntry, text: string): boolean => {
  const names = `${project.name} ${team.name}`.toLowerCase();
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => names.includes(word));
};

/** What the address says the projects are filtered by. */
export interface PortfolioFilter {
  readonly text: string;
  /** Empty, or no standing: all. */
  readonly standing: string;
  readonly change: (members: { readonly text?: string; readonly standing?: string }) => void;
}

/** The filter in the address, so that Back and a shared link find the same list. */
export const usePortfolioFilter = (): PortfolioFilter => {
  const [{ text = '', standing = '' }, change] = useQuery();
  return { text, standing, change };
};

const isOf = (entry: PortfolioEntry, standing: string): boolean =>
  !STANDINGS.some(([known]) => known === standing) || standingOf(entry) === standing;

/** The projects that the filter leaves, in their order. */
export const filtered = (
  entries: readonly PortfolioEntry[],
  { text, standing }: Pick<PortfolioFilter, 'text' | 'standing'>,
): readonly PortfolioEntry[] => entries.filter((entry) => isOf(entry, standing) && holdsWords(entry, text));

interface FilterProps {
  /** All of them. */
  readonly entries: readonly PortfolioEntry[];
  /** Those that the filter leaves, as they are shown. */
  readonly shown: readonly PortfolioEntry[];
  readonly filter: PortfolioFilter;
}

/** How many projects stand how, and a field to find some by name; Enter opens the first. */
export const PortfolioFilters = ({ entries, shown, filter: { text, standing, change } }: FilterProps) => {
  const named = entries.filter((entry) => holdsWords(entry, text));
  const [first] = shown;
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    if (first !== undefined) navigate(projectAddress({ teamId: first.team.id, projectId: first.project.id }));
  };
  const tab = (wanted: string, title: string) => {
    const count = named.filter((entry) => isOf(entry, wanted)).length;
    return (
      <li key={wanted}>
        <button
          type="button"
          aria-pressed={standing === wanted}
          onClick={() => change({ standing: standing === wanted ? '' : wanted })}
        >
          {title} <span class="number">{countText(count)}</span>
        </button>
      </li>
    );
  };
  return (
    <search class="portfolio-filter">
      <form onSubmit={open}>
        <TextField
          label="Find a project"
          type="search"
          placeholder="Name of project or team"
          autocomplete="off"
          value={text}
          onValue={(value) => change({ text: value })}
        />
      </form>
      <ul class="standings">
        {tab('', 'All')}
        {STANDINGS.map(([each, title]) => tab(each, title))}
      </ul>
      <p role="status" class="small soft">
        {shown.length === entries.length ? '' : `${countOf(shown.length, 'project')} of ${countText(entries.length)}`}
      </p>
    </search>
  );
};
