import type { SearchResult } from '@shipworthy/client';
import { holdsWords, searchTextOf } from '@shipworthy/domain/search';
import type { OptionalGroup } from '../api/session.js';
import {
  axisAddress,
  BASE_PATH,
  GATE_CHANGES,
  HOME,
  HOST_SCREEN,
  projectAddress,
  releaseAddress,
  SETTINGS,
  teamAddress,
  WELCOME,
} from '../navigation/places.js';
import { AXES_IN_ORDER, AXIS_TITLES, ISSUE_STATE_TITLES, RELEASE_STATE_TITLES } from '../wording/names.js';

/** What the palette does without another screen. */
export type PaletteAction = 'shortcuts' | 'light' | 'dark' | 'sign-out';

/** A line of the palette: where it leads, or what it does. */
export interface PaletteEntry {
  readonly title: string;
  /** Shown before the title: the project of a release. */
  readonly before?: string;
  /** What it is, such as `Issue`. */
  readonly about: string;
  /** The name of what it belongs to. */
  readonly of?: string;
  readonly state?: string;
  readonly goal: { readonly address: string } | { readonly action: PaletteAction };
}

/** Lines under one heading. */
export interface PaletteGroup {
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}

/** What the person may do, as far as it decides what the palette offers. */
export interface Abilities {
  readonly administrator: boolean;
  /** In the team of the screen. */
  readonly member: boolean;
  readonly owner: boolean;
  /** Whether the server has the stores for the group. */
  offers(group: OptionalGroup): boolean;
}

type Listed = readonly [title: string, address: string, group?: OptionalGroup];

const entriesTo = (about: string, listed: readonly Listed[], { offers }: Abilities): readonly PaletteEntry[] =>
  listed
    .filter(([, , group]) => group === undefined || offers(group))
    .map(([title, address]) => ({ title, about, goal: { address } }));

const PLACE = /^\/teams\/([^/]+)(?:\/projects\/([^/]+)(?:\/releases\/([^/]+))?)?/;

/** The ids that the path of a screen names. */
const placeOf = (path: string) => {
  const [, teamId, projectId, releaseId] = PLACE.exec(path.slice(BASE_PATH.length)) ?? [];
  return { teamId, projectId, releaseId };
};

/** The team of the screen of that path. */
export const teamOf = (path: string): string | undefined => placeOf(path).teamId;

const ofRelease = (
  place: { readonly teamId: string; readonly projectId: string; readonly releaseId: string },
  may: Abilities,
) => {
  const release = releaseAddress(place);
  return entriesTo(
    'This release',
    [
      ['Scorecard', release],
      ['Launch checklist', `${release}/checklist`],
      ['Analysis', `${release}/analysis`],
      ['What changed', `${release}/difference`, 'history'],
      ...AXES_IN_ORDER.map((axis) => [AXIS_TITLES[axis], axisAddress(place, axis)] as const),
    ],
    may,
  );
};

const ofProject = (project: string, may: Abilities) => {
  const settings = `${project}/settings`;
  return entriesTo(
    'This project',
    [
      ...(may.member
        ? ([
            ['New issue', `${project}/issues?new=issue`],
            ['New release', `${project}?new=release`],
            ['Record a test run', `${project}/test-runs/record`],
          ] as const)
        : []),
      ['Releases', project],
      ['Issues', `${project}/issues`],
      ['Test runs', `${project}/test-runs`],
      ['Deployments', `${project}/deployments`],
      ['Project settings', settings],
      ['Linked repository', `${settings}/repository`, 'host'],
      ['Gate policy', `${settings}/policy`],
      ['Checklist template', `${settings}/checklist`],
      ['Webhooks', `${settings}/webhooks`, 'webhooks'],
      ['Badge', `${settings}/badge`, 'badges'],
    ],
    may,
  );
};

const ofTeam = (team: string, may: Abilities) =>
  entriesTo(
    'This team',
    [
      ['Members', team],
      ...(may.owner
        ? ([
            ['API keys of the team', `${team}/api-keys`],
            ['Audit log', `${team}/audit`, 'audit'],
          ] as const)
        : []),
    ],
    may,
  );

const everywhere = (may: Abilities): readonly PaletteEntry[] => [
  ...entriesTo(
    'Screen',
    [
      ['Projects', HOME],
      ['Gate changes', GATE_CHANGES, 'gate-changes'],
      ['New project', WELCOME],
    ],
    may,
  ),
  ...entriesTo(
    'Settings',
    [
      ['API keys', SETTINGS],
      ['Repository host', HOST_SCREEN, 'host'],
      ['Account', `${SETTINGS}/account`],
      ['Archived', `${SETTINGS}/archived`],
      ...(may.administrator ? ([['People', `${SETTINGS}/people`]] as const) : []),
    ],
    may,
  ),
  { title: 'Light appearance', about: 'Appearance', goal: { action: 'light' } },
  { title: 'Dark appearance', about: 'Appearance', goal: { action: 'dark' } },
  { title: 'Keyboard shortcuts', about: 'Help', goal: { action: 'shortcuts' } },
  { title: 'HTTP interface', about: 'Help', goal: { address: `${BASE_PATH}/api/docs` } },
  { title: 'Sign out', about: 'Account', goal: { action: 'sign-out' } },
];

/** Returns the screens and actions offered on the screen of that path: of its release, project and team, then all others. */
export const groupsOn = (path: string, may: Abilities): readonly PaletteGroup[] => {
  const { teamId, projectId, releaseId } = placeOf(path);
  const groups: PaletteGroup[] = [];
  if (teamId !== undefined && projectId !== undefined) {
    const place = { teamId, projectId };
    if (releaseId !== undefined)
      groups.push({ title: 'This release', entries: ofRelease({ ...place, releaseId }, may) });
    groups.push({ title: 'This project', entries: ofProject(projectAddress(place), may) });
  }
  if (teamId !== undefined) groups.push({ title: 'This team', entries: ofTeam(teamAddress(teamId), may) });
  return [...groups, { title: 'Everywhere', entries: everywhere(may) }];
};

const splitWords = (text: string): readonly string[] => text.toLowerCase().split(/\s+/u).filter(Boolean);

/** Entries in whose title each word of the text begins a word; titles that begin with the text come first. */
export const entriesMatching = (
  groups: readonly PaletteGroup[],
  text: string,
  limit: number,
): readonly PaletteEntry[] => {
  const wanted = splitWords(text);
  const holds = ({ title }: PaletteEntry): boolean =>
    wanted.every((word) => ` ${title.toLowerCase()}`.includes(` ${word}`));
  const begins = ({ title }: PaletteEntry): boolean => title.toLowerCase().startsWith(wanted.join(' '));
  const found = groups.flatMap(({ entries }) => entries).filter(holds);
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))].slice(0, limit);
};

/** The former search results that still match a changed text, until the server has answered for it. */
export const stillFound = (found: readonly SearchResult[], text: string): readonly SearchResult[] => {
  const holds = holdsWords(searchTextOf(text));
  return found.filter(({ name, project }) => holds(`${project.name} ${name}`));
};

/** A search result as a line: an issue leads to the list of its project, where it is shown alone. */
export const entryOf = (found: SearchResult): PaletteEntry => {
  const { kind, id, name, team, project } = found;
  const place = { teamId: team.id, projectId: project.id };
  const state = found.state === null ? {} : { state: STATE_TITLES[found.state] };
  switch (kind) {
    case 'project':
      return { title: name, about: 'Project', of: team.name, goal: { address: projectAddress(place) } };
    case 'release':
      return {
        before: project.name,
        title: name,
        about: 'Release',
        ...state,
        goal: { address: releaseAddress({ ...place, releaseId: id }) },
      };
    case 'issue':
      return {
        title: name,
        about: 'Issue',
        of: project.name,
        ...state,
        goal: { address: `${projectAddress(place)}/issues?issue=${id}` },
      };
  }
};

const STATE_TITLES = { ...ISSUE_STATE_TITLES, ...RELEASE_STATE_TITLES };
