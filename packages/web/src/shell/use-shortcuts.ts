import { useEffect } from 'preact/hooks';
import { closeOpened, opened } from './opened.js';

const KEYS: Readonly<Record<string, 'search' | 'shortcuts'>> = { '/': 'search', '?': 'shortcuts' };

/** Where a key is a letter of what somebody writes. */
const WRITTEN_IN = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]';

/** Lets single keys open the search and the sheet of shortcuts, except where somebody writes or something is open. */
export const useShortcuts = (isOn: boolean): void => {
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      const wanted = KEYS[event.key];
      if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.matches(WRITTEN_IN)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      opened.value = wanted;
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      closeOpened();
    };
  }, [isOn]);
};
