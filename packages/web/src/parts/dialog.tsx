import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../api/use-action.js';
import { focusNear, focusPlaceOf } from '../navigation/navigate.js';
import { Button } from './button.js';
import { Form, type FormProps } from './field.js';

interface DialogProps {
  readonly title: string;
  /** `palette`: at the top of the screen, its title for screen readers only. */
  readonly look?: 'palette';
  /** Called when the person closes the dialog; undefined: the person cannot close it. */
  readonly onClose?: (() => void) | undefined;
  /** Given: the content is a form. */
  readonly onSubmit?: FormProps['onSubmit'];
  readonly fault?: FormProps['fault'];
  readonly fields?: readonly string[];
  readonly children: ComponentChildren;
}

/** A window above the screen: keeps the focus inside, closes by Escape, gives the focus back. */
export const Dialog = ({ title, look, onClose, onSubmit, fault, fields = [], children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const isGone = useRef(false);
  // Opens before the next frame, so that what is typed right after a shortcut goes into the dialog.
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement === null ? undefined : focusPlaceOf(document.activeElement);
    element?.showModal();
    return () => {
      isGone.current = true;
      // While it is open, nothing outside it can have the focus.
      element?.close();
      if (before !== undefined) focusNear(before);
    };
  }, []);
  return (
    <dialog
      class={look === undefined ? 'dialog' : `dialog ${look}`}
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        if (onClose === undefined) event.preventDefault();
      }}
      onClose={() => {
        if (isGone.current) return;
        // Browsers close a dialog at the second Escape, even when the first one was prevented.
        if (onClose === undefined) dialog.current?.showModal();
        else onClose();
      }}
    >
      <h2 id={id} class={look && 'unseen'}>
        {title}
      </h2>
      {onSubmit === undefined ? (
        <div>{children}</div>
      ) : (
        <Form onSubmit={onSubmit} fault={fault} fields={fields}>
          {children}
        </Form>
      )}
    </dialog>
  );
};

interface ConfirmDialogProps {
  /** The text of the button that confirms. */
  readonly text: string;
  /** The question. */
  readonly title: string;
  readonly perform: () => Promise<unknown>;
  readonly onDone?: () => void;
  readonly onClose: () => void;
  /** The text of the button that changes nothing; `Cancel` unless given. */
  readonly keep?: string;
  /** The effect of the action. */
  readonly children: ComponentChildren;
}

/**
 * Asks before something is done that cannot be undone; the focus is on the button that changes nothing. It stays open while
 * the action runs, to show its fault.
 */
export const ConfirmDialog = ({ text, title, perform, onDone, onClose, keep, children }: ConfirmDialogProps) => {
  const act = useAction(perform);
  return (
    <Dialog
      title={title}
      onClose={act.running ? undefined : onClose}
      fault={act.fault}
      onSubmit={async () => {
        if (!(await act.run())) return;
        onClose();
        onDone?.();
      }}
    >
      <div class="stack">{children}</div>
      <div class="row">
        <Button submit look="danger" busy={act.running}>
          {text}
        </Button>
        <Button autofocus idle={act.running} onClick={onClose}>
          {keep ?? 'Cancel'}
        </Button>
      </div>
    </Dialog>
  );
};

interface ConfirmButtonProps extends Omit<ConfirmDialogProps, 'onClose'> {
  /** A name for screen readers that tells it from other buttons of the same text. */
  readonly label?: string;
  readonly look?: 'danger' | 'plain';
  readonly compact?: boolean;
}

/** A button that asks before it acts. */
export const ConfirmButton = ({ label, look, compact, ...asked }: ConfirmButtonProps) => {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        {...(look === undefined ? {} : { look })}
        {...(label === undefined ? {} : { label })}
        compact={compact ?? false}
        onClick={() => setAsking(true)}
      >
        {asked.text}
      </Button>
      {asking ? <ConfirmDialog {...asked} onClose={() => setAsking(false)} /> : null}
    </>
  );
};
