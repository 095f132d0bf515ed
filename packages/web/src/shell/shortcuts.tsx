import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';

const SHORTCUTS = [
  [['/'], 'Find a project or a release'],
  [['?'], 'Show this sheet'],
  [['Tab'], 'Go to the next link, button or field; with Shift to the one before'],
  [['Enter'], 'Follow a link, press a button, save a form'],
  [['Space'], 'Tick a checklist item, open what is folded'],
  [['←', '→'], 'Move what you suppose in What if'],
  [['Esc'], 'Close what stands above the screen'],
] as const;

/** The sheet of keys that do something. */
export const Shortcuts = () => (
  <Dialog title="Keyboard shortcuts" onClose={closeOpened}>
    <dl class="shortcuts">
      {SHORTCUTS.map(([keys, meaning]) => (
        <div key={meaning}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
    <div>
      <Button onClick={closeOpened}>Close</Button>
    </div>
  </Dialog>
);

const KEYS: Readonly<Record<string, 'search' | 'shortcuts'>> = { '/': 'search', '?': 'shortcuts' };

/** Elements in which a key is text, not a shortcut. */
const WRITTEN_IN = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]';

/** Lets single keys open the search and the sheet of shortcuts, except while a person types or a dialog is open. */
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

/** The dialog that a shortcut or a button of the frame has opened. */
export const opened = signal<'search' | 'shortcuts' | undefined>(undefined);

export const closeOpened = (): void => {
  opened.value = undefined;
};
