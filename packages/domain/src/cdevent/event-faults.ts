import { DomainError, type Fault } from '../errors.js';

/** Where in the event each field of a report comes from, both as JSON pointers. */
export type EventPointers = Readonly<Record<string, string>>;

/** The fields whose place is the same in every event. */
export const EVENT_POINTERS: EventPointers = {
  '/project_id': '/customData/project_id',
  '/started_at': '/context/timestamp',
  '/finished_at': '/context/timestamp',
  '/ran_at': '/context/timestamp',
  '/total': '/customData/total',
};

const NAME_REFUSALS: readonly string[] = ['unknown-app-name', 'app-name-mismatch'];

const faultsOf = ({ code, message, details }: DomainError): readonly Fault[] => {
  if (Array.isArray(details.faults)) return details.faults;
  return NAME_REFUSALS.includes(code) ? [{ pointer: '/app_name', code, message }] : [];
};

const dotted = (pointer: string): string => pointer.slice(1).replaceAll('/', '.');

const moved = (fault: Fault, pointers: EventPointers, base: string): Fault => {
  const pointer = pointers[fault.pointer];
  if (pointer === undefined) return { ...fault, pointer: `${base}${fault.pointer}` };
  const field = dotted(fault.pointer);
  const message = fault.message.startsWith(`${field} `)
    ? `${dotted(pointer)}${fault.message.slice(field.length)}`
    : fault.message;
  return { ...fault, pointer: `${base}${pointer}`, message };
};

/**
 * The refusal of a report in the words of the event it was made of: its faults point into what was sent, where the event
 * itself lies at `base`. A fault that two fields of the report have in common is named once.
 */
export const refusalInEvent = (refusal: DomainError, pointers: EventPointers, base: string): DomainError => {
  const faults = faultsOf(refusal).map((fault) => moved(fault, pointers, base));
  if (faults.length === 0) return refusal;
  const once = [...new Map(faults.map((fault) => [`${fault.pointer} ${fault.code}`, fault])).values()];
  const message = refusal.code === 'invalid' ? once.map((fault) => fault.message).join('; ') : refusal.message;
  return new DomainError(refusal.code, message, { ...refusal.details, faults: once });
};
