import type { Team } from '@shipworthy/client';
import { projectAddress, releaseAddress } from '../navigation/places.js';

/** Something that can be found by its name. */
interface Findable {
  readonly title: string;
  /** Its kind and its team or project. */
  readonly about: string;
  readonly address: string;
}

/** The projects of teams and their releases, each project before its releases. */
export const findablesOf = (
  teams: readonly Team[],
  releases: ReadonlyMap<string, readonly { readonly id: string; readonly name: string }[]>,
): readonly Findable[] =>
  teams.flatMap((team) =>
    team.projects.flatMap((project) => {
      const place = { teamId: team.id, projectId: project.id };
      return [
        { title: project.name, about: `Project of ${team.name}`, address: projectAddress(place) },
        ...(releases.get(project.id) ?? []).map(({ id, name }) => ({
          title: `${project.name} ${name}`,
          about: `Release of ${project.name}`,
          address: releaseAddress({ ...place, releaseId: id }),
        })),
      ];
    }),
  );

/** Those whose name holds every word of the text in any case; those that begin with it come first. */
export const findablesMatching = (findables: readonly Findable[], text: string, limit: number): readonly Findable[] => {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const found = findables.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const begins = ({ title }: Findable): boolean => title.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((each) => !begins(each))].slice(0, limit);
};
