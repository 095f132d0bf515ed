import { firstPerson } from '../../subject/person.js';
import { createKey, createProject, createTeam, type Project } from '../../subject/project.js';

const HOUR_MS = 3_600_000;

/** What reporters report to, and with what. */
export interface Scene {
  readonly project: Project;
  /** Path of the project's routes. */
  readonly path: string;
  readonly key: string;
  /** Headers of a browser that is signed in. */
  readonly signedIn: Readonly<Record<string, string>>;
  /** A checklist item of its own for each reporter. */
  readonly itemIds: readonly string[];
}

/** Sets a server up with a project for so many reporters. */
export const setUpScene = async (
  server: { readonly port: number; readonly setupToken: string },
  reporters: number,
): Promise<Scene> => {
  const person = await firstPerson({ ...server, pid: 0 });
  const project = await createProject(person, await createTeam(person), 'checkout', Date.now() - HOUR_MS);
  const path = `/api/teams/${project.teamId}/projects/${project.id}`;
  const itemIds: string[] = [];
  for (let index = 0; index < reporters; index += 1) {
    const item = await person.post(`${path}/releases/${project.releaseId}/checklist`, { title: `Item ${index}` });
    itemIds.push(String(item.id));
  }
  return {
    project,
    path,
    key: await createKey(person),
    signedIn: {
      Cookie: person.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      Origin: `http://127.0.0.1:${server.port}`,
    },
    itemIds,
  };
};
