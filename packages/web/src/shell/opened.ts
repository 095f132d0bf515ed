import { signal } from '@preact/signals';

/** What stands above the screen by a shortcut or a button of the frame. */
export const opened = signal<'search' | 'shortcuts' | undefined>(undefined);

export const closeOpened = (): void => {
  opened.value = undefined;
};
