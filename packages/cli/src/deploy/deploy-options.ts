import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { isCommit, isLabel, isPage } from '../pipeline/read-pipeline.js';

/** What every report is told, of a deployment or of a test run. */
export interface ReportOptions {
  readonly commit?: string | undefined;
  readonly url?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly strictReport?: boolean | undefined;
}

/** What `deploy run` and `deploy start` are told of the deployment. */
export interface DeployOptions extends ReportOptions {
  readonly env: string;
  readonly version?: string | undefined;
  readonly deployedBy?: string | undefined;
  /** `deploy run` only: whether the command gets the API key, too. */
  readonly passKey?: boolean | undefined;
}

/** One line of 1-200 characters. */
export const asLabel = (text: string): string => {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  if (!isLabel(text)) throw new InvalidArgumentError('Give one line of at most 200 characters.');
  return text;
};

/** A commit hash as git writes it. */
export const asCommit = (text: string): string => {
  if (!isCommit(text)) throw new InvalidArgumentError('Give a commit hash, 7-64 hexadecimal characters.');
  return text;
};

/** An http or https address without user or password. */
export const asPage = (text: string): string => {
  if (!isPage(text)) throw new InvalidArgumentError('Give an http or https address.');
  return text;
};

/** What an HTTP header can carry, with room for what is added to it. */
export const asIdempotencyKey = (text: string): string => {
  if (!/^[!-~]{1,200}$/.test(text)) throw new InvalidArgumentError('Give 1-200 visible ASCII characters.');
  return text;
};

/** Seconds, 0 or more. */
export const asDuration = (text: string): number => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= 2_147_483_647)) throw new InvalidArgumentError('Give seconds, 0 or more.');
  return value;
};

export const PAGE_URL = new Option('--url <address>', 'page of the run').argParser(asPage);
export const STRICT_REPORT = new Option('--strict-report', 'a report that is not sent is an error');
