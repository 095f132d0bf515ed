import type { ServiceEvent, SuiteRunEvent } from './cdevent.js';

/** The longest event source a project can have, in characters. */
export const LONGEST_EVENT_SOURCE = 500;
const LONGEST_NAME = 200;

type Origin = ServiceEvent | SuiteRunEvent;

const lastPart = (text: string): string => text.split('/').findLast((part) => part !== '') ?? '';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The last segment of the path of a URI reference; empty where it has no path. */
const lastSegment = (uri: string): string => {
  const [whole = ''] = uri.split(/[?#]/, 1);
  return decoded(lastPart(whole.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '')));
};

/** Characters are counted as in the contract; what was decoded may hold some that no name and no database can. */
const isWithin = (text: string, longest: number): boolean =>
  (text.length <= longest || [...text].length <= longest) && !/[\p{Cc}\p{Cs}]/u.test(text);

const once = (texts: readonly (string | null)[], longest: number): readonly string[] => [
  ...new Set(texts.filter((text): text is string => text !== null && text !== '' && isWithin(text, longest))),
];

/** The name of the service: the last part of `subject.id`; null where no project can have it. */
export const serviceName = ({ subjectId }: ServiceEvent): string | null =>
  once([lastPart(subjectId)], LONGEST_NAME)[0] ?? null;

/** The texts of an event that may be the event source of a project: its source, the one of its subject, its suite or service. */
export const sourcesOf = (event: Origin): readonly string[] => {
  const own = event.kind === 'testsuiterun.finished' ? event.suiteId : event.subjectId;
  return once([event.source, event.subjectSource, own], LONGEST_EVENT_SOURCE);
};

/** The texts of an event that may be the name of a project, where nothing in it was made to be one. */
export const namesOf = (event: Origin): readonly string[] => {
  const suite = event.kind === 'testsuiterun.finished' ? [event.suiteId, event.suite] : [];
  const segments = [event.subjectSource ?? '', event.source].map(lastSegment);
  return once([...suite, ...segments], LONGEST_NAME);
};
