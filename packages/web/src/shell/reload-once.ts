import { BASE_PATH } from '../navigation/places.js';

const MARK = 'shipworthy.reloaded-for';

const isReachable = async (): Promise<boolean> => {
  try {
    return (await fetch(`${BASE_PATH}/livez`, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
};

/**
 * Loads the page anew, if the server answers: for files that are gone because the server was upgraded under an open page.
 * Nobody is taken from a page that still says something to the browser's own page of errors.
 */
export const reloadIfReachable = async (): Promise<boolean> => {
  if (!(await isReachable())) return false;
  location.reload();
  return true;
};

/** The same, only once per address, so that a fault that stays does not reload for ever. Answers whether it does. */
export const reloadOnce = async (): Promise<boolean> => {
  if (sessionStorage.getItem(MARK) === location.href || !(await isReachable())) return false;
  sessionStorage.setItem(MARK, location.href);
  location.reload();
  return true;
};

/** A file came: a later upgrade may reload again. */
export const noteLoaded = (): void => sessionStorage.removeItem(MARK);
