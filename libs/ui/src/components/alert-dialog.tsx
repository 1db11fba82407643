import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { buttonStyle } from "./button-style.ts";
import { CopyId } from "./copy-id.tsx";
import { backdropStyle, dialogStyle } from "./dialog-style.ts";
import { TextField } from "./fields.tsx";
import { isTyped } from "./is-typed.ts";
import { locale } from "./locale.ts";

interface AlertDialogProps {
  title: string;
  /** The consequences, in plain words. */
  children: ReactNode;
  /** The verb of the button, such as "Delete user". */
  action: string;
  onConfirm: () => void;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The text that must be typed to enable the button, such as the address of the user to delete. */
  typed?: string | undefined;
  isBusy?: boolean | undefined;
  /** The action can be undone, so the button shows no warning. */
  isHarmless?: boolean | undefined;
}

type ConfirmationProps = Pick<
  AlertDialogProps,
  "action" | "onConfirm" | "typed" | "isBusy" | "isHarmless"
>;

/** Asks to type a text, which stands out in the sentence. */
const typedLabel = (typed: string) => {
  const [before = "", after = ""] = locale
    .text("typeToConfirm", { text: "\uE000" })
    .split("\uE000");
  return (
    <>
      {before}
      <bdi className="break-all whitespace-pre-wrap">{typed}</bdi>
      {after}
    </>
  );
};

const Confirmation = ({ action, onConfirm, typed, isBusy, isHarmless }: ConfirmationProps) => {
  const [text, setText] = useState("");
  const isConfirmed = typed === undefined || isTyped(text, typed);
  return (
    <form
      className="mt-4 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed && !isBusy) onConfirm();
      }}
    >
      {typed !== undefined && (
        <div className="flex items-end gap-2">
          <TextField
            className="min-w-0 flex-1"
            label={typedLabel(typed)}
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
          <span className="flex h-9 items-center">
            <CopyId id={typed} label={locale.text("copyTyped")} hidesId />
          </span>
        </div>
      )}
      <div className="flex justify-end gap-2">
        <Base.Close className={buttonStyle("secondary")}>{locale.text("cancel")}</Base.Close>
        <Button
          type="submit"
          kind={isHarmless ? "primary" : "danger"}
          disabled={!isConfirmed}
          isBusy={isBusy}
        >
          {action}
        </Button>
      </div>
    </form>
  );
};

/** Asks for confirmation before an action that cannot be undone. */
export const AlertDialog = ({
  title,
  children,
  isOpen,
  onOpenChange,
  ...rest
}: AlertDialogProps) => (
  <Base.Root open={isOpen} onOpenChange={(open) => onOpenChange(open)}>
    <Base.Portal>
      <Base.Backdrop className={backdropStyle} />
      <Base.Popup className={dialogStyle}>
        <Base.Title className="text-lg font-semibold break-words">{title}</Base.Title>
        <Base.Description render={<div />} className="mt-2 break-words text-muted">
          {children}
        </Base.Description>
        <Confirmation {...rest} />
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
