import type { Measurement } from './measurement.js';
import { BrokenReport } from './tally.js';

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenReport('is no JSON, or is cut short');
  }
};

const member = (value: Members, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);

/** What Lighthouse itself says went wrong, where the page could not be audited. */
const requireAudited = (report: Members): void => {
  const error = member(report, 'runtimeError');
  if (!isObject(error) || member(error, 'code') === 'NO_ERROR') return;
  throw new BrokenReport(`says that the page could not be audited (${String(member(error, 'code')).slice(0, 100)})`);
};

/**
 * The score of a category, in whole hundredths, rounded down. The category may be written with underscores, since no name of an axis
 * has a hyphen.
 */
export const lighthouseScore = (text: string, category: string): Measurement => {
  const report = parsed(text);
  const categories = isObject(report) ? member(report, 'categories') : undefined;
  if (!isObject(report) || !isObject(categories) || typeof member(report, 'lighthouseVersion') !== 'string')
    throw new BrokenReport('is no report of Lighthouse in JSON');
  requireAudited(report);
  const found = member(categories, category) ?? member(categories, category.replaceAll('_', '-'));
  if (!isObject(found))
    throw new BrokenReport(`has no category ${category}: it has ${Object.keys(categories).join(', ') || 'none'}`);
  const score = member(found, 'score');
  if (typeof score !== 'number' || !(score >= 0 && score <= 1))
    throw new BrokenReport(`has no score of ${category}: an audit of it failed`);
  // 0.29 * 100 is a little less than 29 in binary fractions.
  return { format: 'lighthouse', part: Math.floor(Math.round(score * 1e6) / 1e4), whole: 100, doubts: [] };
};
