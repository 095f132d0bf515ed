const LONGEST = 60;

/** Words of a text in lower case without accents; letters and digits of ASCII only. */
const words = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

const joined = (text: string, separator: string, fallback: string): string => {
  const made = words(text).join(separator).slice(0, LONGEST);
  const whole = made.endsWith(separator) ? made.slice(0, -separator.length) : made;
  return whole === '' ? fallback : whole;
};

/** The part of a browser address made from a name, at most 60 characters: `Über Shop` becomes `uber-shop`; `fallback` when nothing is left. */
export const slugOf = (name: string, fallback: string): string => joined(name, '-', fallback);

/** A checklist item's key made from its title, at most 60 characters: `Feature flag` becomes `feature_flag`; `item` when nothing is left. */
export const keyOf = (title: string): string => joined(title, '_', 'item');
