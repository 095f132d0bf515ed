import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { NotLoaded } from './not-loaded.js';
import { noteLoaded, reloadOnce } from './reload-once.js';

const NEVER = new Promise<never>(() => undefined);

/** A screen that is loaded when somebody first goes there; where its files are gone, the page is loaded anew. */
export const later = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => {
    try {
      const screen = await load();
      noteLoaded();
      return screen;
    } catch {
      return (await reloadOnce()) ? NEVER : NotLoaded;
    }
  });
