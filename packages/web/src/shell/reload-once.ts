const MARK = 'shipworthy.reloaded-for';

/**
 * A screen whose files are gone, because the server was upgraded under an open page: the new page has the new files. Only
 * once per address, so that a fault that stays does not reload for ever.
 */
export const reloadOnce = (error: Error): void => {
  const gone = /import|module|fetch/i.test(error.message);
  if (!gone || sessionStorage.getItem(MARK) === location.href) throw error;
  sessionStorage.setItem(MARK, location.href);
  location.reload();
};
