import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useAction } from '../api/use-action.js';
import { Button } from './button.js';
import { FaultNotice } from './notice.js';

interface DialogProps {
  readonly title: string;
  /** The palette stands at the top, and its title is not seen. */
  readonly look?: 'palette';
  readonly onClose: () => void;
  /** Given: the content is a form. */
  readonly onSubmit?: () => void;
  readonly children: ComponentChildren;
}

/** A window above the screen: keeps the focus inside, closes by Escape, gives the focus back. */
export const Dialog = ({ title, look, onClose, onSubmit, children }: DialogProps) => {
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
      <h2 id={id} class={look && 'unseen'}>
        {title}
      </h2>
      {children}
    </>
  );
  return (
    <dialog
      class={look === undefined ? 'dialog' : `dialog ${look}`}
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
    >
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

interface ConfirmButtonProps {
  /** The text of the button, and of the one that confirms. */
  readonly text: string;
  /** Tells it from the other buttons of that text. */
  readonly label?: string;
  /** The question. */
  readonly title: string;
  readonly perform: () => Promise<unknown>;
  readonly onDone?: () => void;
  readonly look?: 'danger' | 'plain';
  readonly compact?: boolean;
  /** The effect of the action. */
  readonly children: ComponentChildren;
}

/** A button that asks before it acts, for what cannot be undone; the focus is on the way back. */
export const ConfirmButton = ({ text, label, title, perform, onDone, look, compact, children }: ConfirmButtonProps) => {
  const [asking, setAsking] = useState(false);
  const act = useAction(perform);
  const close = () => {
    act.clear();
    setAsking(false);
  };
  return (
    <>
      <Button
        {...(look === undefined ? {} : { look })}
        {...(label === undefined ? {} : { label })}
        compact={compact ?? false}
        onClick={() => setAsking(true)}
      >
        {text}
      </Button>
      {asking ? (
        <Dialog
          title={title}
          onClose={close}
          onSubmit={async () => {
            if (!(await act.run())) return;
            setAsking(false);
            onDone?.();
          }}
        >
          <div class="stack">{children}</div>
          {act.fault === undefined ? null : <FaultNotice fault={act.fault} />}
          <div class="row">
            <Button submit look="danger" busy={act.running}>
              {text}
            </Button>
            <Button autofocus onClick={close}>
              Cancel
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
};
