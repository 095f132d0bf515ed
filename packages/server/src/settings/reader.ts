import { parsedUrl } from '@shipworthy/client/contract';
import { SETTINGS, type SettingName } from './setting.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings one by one and gathers what is wrong with them, so that all faults are named at once. */
export class SettingsReader {
  readonly faults: string[] = [];
  constructor(readonly environment: Environment) {}

  /** The value; undefined when it is unset or empty. */
  text(name: SettingName): string | undefined {
    const value = this.environment[name];
    return value === undefined || value.trim() === '' ? undefined : value.trim();
  }

  fault(name: SettingName, sentence: string): void {
    this.faults.push(`${name} ${sentence}`);
  }

  /** A whole number within the range, ends included. */
  number<Otherwise>(name: SettingName, least: number, most: number, otherwise: Otherwise): number | Otherwise {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    this.fault(name, `must be a whole number from ${least} to ${most}.`);
    return otherwise;
  }

  flag(name: SettingName): boolean {
    const value = this.text(name);
    if (value !== undefined && value !== 'true' && value !== 'false') this.fault(name, 'must be true or false.');
    return value === 'true';
  }

  choice<Value extends string>(name: SettingName, values: readonly Value[], otherwise: Value): Value {
    const value = this.text(name);
    const chosen = values.find((each) => each === value);
    if (value !== undefined && chosen === undefined) this.fault(name, `must be one of ${values.join(', ')}.`);
    return chosen ?? otherwise;
  }

  /** An http or https address. */
  address(name: SettingName, otherwise: string): URL {
    const value = this.text(name);
    if (value === undefined) return new URL(otherwise);
    const url = parsedUrl(value);
    const bare = url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === '';
    if (bare && /^https?:$/.test(url.protocol)) return url;
    this.fault(name, 'must be an http or https address without user, query and fragment.');
    return new URL(otherwise);
  }

  /** A secret of so many characters; its value is never part of the fault. */
  secret(name: SettingName, least: number, most: number): string | null {
    const value = this.text(name);
    if (value === undefined) return null;
    if (value.length < least || value.length > most) this.fault(name, `must have ${least}-${most} characters.`);
    return value;
  }
}

/** What stands in the environment under our prefix but is no setting. */
export const unknownSettings = (environment: Environment): readonly string[] => {
  const known: ReadonlySet<string> = new Set(SETTINGS.map(({ name }) => name));
  return Object.keys(environment).filter((name) => name.startsWith('SHIPWORTHY_') && !known.has(name));
};
