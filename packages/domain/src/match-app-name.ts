import { requireRole, seesProject, type TeamCaller } from './access/principal.js';
import { DomainError, invalid } from './errors.js';
import { nearestNames } from './names.js';
import type { NamedProject, Project, ProjectName } from './project.js';

/** The name a deployment was reported under, and the id of the project meant; null: the name alone decides. */
export interface AppName {
  readonly appName: string;
  readonly projectId: string | null;
}

const candidate = ({ id, name, teamId }: Project) => ({ id, name, team_id: teamId });

/**
 * Returns the only project; undefined: there is none. @throws DomainError `ambiguous-app-name` with the candidates when there
 * are several; `description` is what the message says of them, such as "projects have this name"
 */
export const onlyProject = (projects: readonly Project[], description: string): Project | undefined => {
  const [project, ...others] = projects;
  if (others.length === 0) return project;
  throw new DomainError('ambiguous-app-name', `${projects.length} ${description}; say which by project_id.`, {
    candidates: projects.map(candidate),
  });
};

/**
 * The one project in sight with exactly that name; undefined when there is none.
 * @throws DomainError `ambiguous-app-name` with the candidates, `forbidden` when the role there is too weak
 */
export const matchAppName = (
  { principal, needs }: TeamCaller,
  { appName, projectId }: AppName,
  named: readonly NamedProject[],
): NamedProject | undefined => {
  const visible = named.filter(({ project }) => seesProject(principal, project));
  const meant = projectId === null ? visible : visible.filter(({ project }) => project.id === projectId);
  onlyProject(
    meant.map(({ project }) => project),
    `projects are named ${appName}`,
  );
  const [match] = meant;
  if (match !== undefined) requireRole(principal, match.project.teamId, needs);
  return match;
};

/** Finding similar names takes time, so only this many unknown names of one request get suggestions. */
const MOST_HINTS = 5;

/**
 * Returns a function that says why a name matched no project: the project meant has another name, the name is a former
 * one, or no project in sight has it. Call this once per request, with the names of all projects in sight: only the
 * first 5 distinct unknown names get suggestions.
 */
export const unmatchedAmong = (names: readonly ProjectName[]): ((asked: AppName) => DomainError) => {
  const currentNames = new Map(names.map(({ projectId, currentName }) => [projectId, currentName]));
  const renamed = new Map<string, Set<string>>();
  for (const { name, currentName } of names) renamed.set(name, (renamed.get(name) ?? new Set()).add(currentName));
  const hints = new Map<string, readonly string[]>();

  const nearestTo = (appName: string): readonly string[] => {
    const known = hints.get(appName);
    if (known !== undefined || hints.size >= MOST_HINTS) return known ?? [];
    const nearest = nearestNames(appName, currentNames.values());
    hints.set(appName, nearest);
    return nearest;
  };

  return ({ appName, projectId }) => {
    const meant = projectId === null ? undefined : currentNames.get(projectId);
    if (meant !== undefined)
      return new DomainError('app-name-mismatch', `That project is named ${meant}, not ${appName}.`, { name: meant });
    if (projectId !== null)
      return invalid([
        { pointer: '/project_id', code: 'unknown-project', message: 'project_id names no project in sight.' },
      ]);
    const nowNamed = [...(renamed.get(appName) ?? [])];
    const [renamedTo] = nowNamed;
    if (renamedTo !== undefined)
      return new DomainError('unknown-app-name', `${appName} is named ${renamedTo} now.`, {
        renamed_to: renamedTo,
        nearest: nowNamed,
      });
    const nearest = nearestTo(appName);
    const hint = nearest.length === 0 ? '' : ` The nearest: ${nearest.join(', ')}.`;
    return new DomainError('unknown-app-name', `No project in sight is named ${appName}.${hint}`, { nearest });
  };
};
