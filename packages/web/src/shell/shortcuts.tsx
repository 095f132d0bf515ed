import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { closeOpened } from './opened.js';

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
