import type { ReadinessReport } from '@shipworthy/client';
import { type WhatIfRequest as Request, WhatIfRequest } from '@shipworthy/client/contract';
import { usageFailure } from '../failure.js';
import { faultyInput } from '../offline/read-basis.js';
import { schemaFaults } from '../schema/schema-faults.js';

type Members = Readonly<Record<string, unknown>>;

const AXES = Object.keys(WhatIfRequest.properties.facts.properties);

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The facts of an axis as they may be changed: what follows from others, names, and what a later server adds are left out. */
const changeable = (reading: ReadinessReport['axes'][number]): unknown => {
  if (reading.facts === undefined) return null;
  switch (reading.axis) {
    case 'scope':
    case 'ops':
      return { done: reading.facts.done, total: reading.facts.total };
    case 'quality': {
      const { resolved, total, open } = reading.facts;
      const { critical, major, minor, unspecified } = open;
      return { resolved, total, open: { critical, major, minor, unspecified } };
    }
    case 'verification':
      return { passed: reading.facts.passed, total: reading.facts.total };
    case 'stability': {
      const { succeeded, failed, in_progress } = reading.facts;
      return { succeeded, failed, in_progress };
    }
    default:
      // An axis that a later server measures, and of which nothing can be asked here.
      return undefined;
  }
};

const readValue = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const withMember = (value: unknown, path: readonly string[], member: unknown): unknown => {
  const [name, ...rest] = path;
  if (name === undefined) return member;
  const members = isObject(value) ? value : {};
  return { ...members, [name]: withMember(members[name], rest, member) };
};

interface Setting {
  readonly path: readonly string[];
  readonly value: unknown;
}

const settingOf = (text: string): Setting => {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  const path = name.split('.');
  const [root = ''] = path;
  if (!path.includes('') && (AXES.includes(root) || (root === 'policy' && path.length > 1)))
    return { path, value: readValue(value) };
  throw usageFailure(
    `--set ${text} names nothing that can be changed.`,
    `Write AXIS.FACT=NUMBER, such as scope.done=12 (axes: ${AXES.join(', ')}), or policy.DEMAND=VALUE, such as policy.threshold=85.`,
  );
};

/** Failure (exit 2) naming every fault, unless it is a question that can be asked. */
export const requireRequest = (name: string, value: unknown): Request => {
  const faults = schemaFaults(WhatIfRequest, value);
  if (faults.length > 0) throw faultyInput(name, faults);
  // The schema has just been found to hold.
  return value as Request;
};

/**
 * The question that settings such as `scope.done=12` or `policy.threshold=85` ask, and so many issues closed. An axis is asked
 * about as a whole: what is not set stays as it is. Failure (exit 2) naming every fault.
 */
export const requestOf = (
  axes: ReadinessReport['axes'],
  settings: readonly string[],
  closeIssues: number | undefined,
): Request => {
  const now = Object.fromEntries(axes.map((reading) => [reading.axis, changeable(reading)]));
  const scope = axes.find((reading) => reading.axis === 'scope');
  const closed: readonly Setting[] =
    closeIssues === undefined ? [] : [{ path: ['scope', 'done'], value: (scope?.facts?.done ?? 0) + closeIssues }];
  let request: Members = {};
  for (const { path, value } of [...closed, ...settings.map(settingOf)]) {
    const [root = ''] = path;
    if (root === 'policy') request = { ...request, policy: withMember(request.policy, path.slice(1), value) };
    else {
      const facts = { [root]: now[root], ...(isObject(request.facts) ? request.facts : {}) };
      request = { ...request, facts: withMember(facts, path, value) };
    }
  }
  return requireRequest('What is set', request);
};
