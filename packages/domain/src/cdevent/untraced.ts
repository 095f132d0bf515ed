import { DomainError, invalid } from '../errors.js';
import type { UsedKind } from './cdevent.js';

/** By what the project of an event was looked for in vain. */
export interface Tried {
  readonly kind: UsedKind;
  readonly sources: readonly string[];
  /** What an event that names no service may be guessed by; null: it names one. */
  readonly guesses: {
    readonly names: readonly string[];
    /** How many projects the caller sees. */
    readonly inSight: number;
  } | null;
}

const LONGEST_QUOTE = 80;

const quoted = (texts: readonly string[]): string =>
  texts
    .map((text) => `"${text.length > LONGEST_QUOTE ? `${[...text].slice(0, LONGEST_QUOTE).join('')}…` : text}"`)
    .join(' or ');

const guessed = ({ names, inSight }: NonNullable<Tried['guesses']>): readonly string[] => [
  ...(names.length === 0 ? [] : [`none is named ${quoted(names)}`]),
  inSight === 0 ? 'none is in sight' : `${inSight} are in sight, not one alone`,
];

const tells = ({ sources, guesses }: Tried): string => {
  const ways = [
    'customData names no project',
    `no project in sight has the event source ${quoted(sources)}`,
    ...(guesses === null ? [] : guessed(guesses)),
  ];
  return `Tried in vain: ${ways.join('; ')}. Send customData.app_name or customData.project_id, or set one of these texts as an event source of the project: PUT /api/teams/{team_id}/projects/{project_id}/event-sources.`;
};

/** The refusal of an event that leads to no project; of a service event that of its name, if it has one, with all that was tried. */
export const untraced = (tried: Tried, ofName: DomainError | null): DomainError => {
  if (ofName !== null) return new DomainError(ofName.code, `${ofName.message} ${tells(tried)}`, ofName.details);
  const pointer = tried.kind === 'testsuiterun.finished' ? '/customData/app_name' : '/subject/id';
  return invalid([{ pointer, code: 'required', message: tells(tried) }]);
};
