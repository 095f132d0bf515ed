import type { World } from '../world.js';

/** Takes secrets out of texts. */
export interface Hiding {
  /** From now on this text is taken out, also where it is encoded for an address. */
  readonly hide: (secret: string) => void;
  readonly shown: (text: string) => string;
}

// Whoever types a key where a name belongs is not to find it in the log of a pipeline.
const ANY_KEY = /swk_[0-9A-Za-z]{8,}/g;

/** Whether the text holds what looks like an API key. */
export const holdsKey = (text: string): boolean => text.search(ANY_KEY) !== -1;

/** Takes out everything that looks like an API key, and what the environment and `hide` say. */
export const hiding = ({ env }: Pick<World, 'env'>): Hiding => {
  const secrets = new Set<string>();
  const hide = (secret: string): void => {
    // Shorter ones would blank out ordinary words.
    if (secret.length >= 8) for (const form of [secret, encodeURIComponent(secret)]) secrets.add(form);
  };
  for (const name of ['SHIPWORTHY_API_KEY', 'SHIPWORTHY_TOKEN']) hide(env[name]?.trim() ?? '');
  return {
    hide,
    shown: (text) =>
      [...secrets].reduce((left, secret) => left.replaceAll(secret, '[hidden]'), text).replace(ANY_KEY, '[hidden]'),
  };
};
