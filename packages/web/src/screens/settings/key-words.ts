import type { ApiKey, NewApiKey, Team } from '@shipworthy/client';
import { linesFor, type ReportLines, settingLines } from '../../wording/report-lines.js';

export type KeyScope = ApiKey['scopes'][number];

/** The permissions of a key, in the order of the form. */
export const SCOPE_CHOICES = [
  ['read', 'Read'],
  ['deployments:write', 'Report deployments'],
  ['test-runs:write', 'Report test runs'],
  ['axes:write', 'Report own axes'],
] as const satisfies readonly (readonly [KeyScope, string])[];

/** `Read, report test runs`. */
export const scopesText = (scopes: readonly KeyScope[]): string =>
  SCOPE_CHOICES.filter(([scope]) => scopes.includes(scope))
    .map(([, title], at) => (at === 0 ? title : title.toLowerCase()))
    .join(', ');

interface KeyLinesGiven {
  readonly address: string;
  readonly key: Pick<NewApiKey, 'key' | 'scopes'>;
  readonly project: { readonly teamId: string; readonly id: string; readonly name: string } | undefined;
}

const WHO_AM_I_COMMAND = 'curl -sS "$SHIPWORTHY_API_URL/api/whoami" -H "Authorization: Bearer $SHIPWORTHY_API_KEY"';

/** The lines that a new key goes into: where to keep it, how to see that it works and, if it may report, how to report. */
export const keyLines = ({ address, key, project }: KeyLinesGiven): readonly ReportLines[] => {
  const [, ...reporting] =
    project !== undefined && key.scopes.includes('deployments:write') && key.scopes.includes('test-runs:write')
      ? linesFor({
          address,
          key: key.key,
          app: project.name,
          place: { teamId: project.teamId, projectId: project.id },
        })
      : [];
  return [
    settingLines({ address, key: key.key }),
    { title: 'See that it works', text: WHO_AM_I_COMMAND },
    ...reporting,
  ];
};

/** The first project that a key sees. */
export const projectOf = (
  teams: readonly Team[],
  { team_id, project_id }: Pick<NewApiKey, 'team_id' | 'project_id'>,
): KeyLinesGiven['project'] => {
  const team = teams.find(({ id, projects }) => (team_id === null || id === team_id) && projects.length > 0);
  const project = team?.projects.find(({ id }) => project_id === null || id === project_id);
  return team && project && { teamId: team.id, id: project.id, name: project.name };
};
