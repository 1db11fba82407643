import type { Operation } from "@latchkey/contracts";
import type { ReactNode } from "react";
import type { CallInput, CallReply } from "@latchkey/ui/api/call.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { AlertDialog } from "@latchkey/ui/components/alert-dialog.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";

interface ConfirmProps<O extends Operation> {
  operation: O;
  input: CallInput<O>;
  title: string;
  /** The consequences of the operation. */
  children: ReactNode;
  action: string;
  /** The toast to show on success. */
  done: string | ((reply: CallReply<O>) => string);
  onClose: () => void;
  /** Called on success instead of closing the dialog. */
  onDone?: (() => void | Promise<void>) | undefined;
  typed?: string | undefined;
  isHarmless?: boolean | undefined;
}

/** Asks for confirmation before an operation, runs it, and shows in the same place why it was refused. */
export const Confirm = <O extends Operation>(props: ConfirmProps<O>) => {
  const { operation, input, title, children, action, done, onClose, onDone = onClose } = props;
  const change = useOperation(operation, { showsError: true, done, onDone: () => onDone() });
  return (
    <AlertDialog
      title={title}
      action={action}
      typed={props.typed}
      isHarmless={props.isHarmless}
      isOpen
      // Stays open while the operation runs, because its outcome is shown here.
      onOpenChange={(isOpen) => !isOpen && !change.isPending && onClose()}
      isBusy={change.isPending}
      onConfirm={() => change.mutate(input)}
    >
      {children}
      {change.error && (
        <div className="mt-3">
          <FormError error={change.error} />
        </div>
      )}
    </AlertDialog>
  );
};
