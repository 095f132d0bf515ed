import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Given: the content is a form. */
  readonly onSubmit?: () => void;
  readonly children: ComponentChildren;
}

/** A window above the screen: keeps the focus inside, closes by Escape, gives the focus back. */
export const Dialog = ({ title, onClose, onSubmit, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const inside = (
    <>
      <h2 id={id}>{title}</h2>
      {children}
    </>
  );
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby={id} onClose={onClose}>
      {onSubmit === undefined ? (
        <div>{inside}</div>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {inside}
        </form>
      )}
    </dialog>
  );
};
