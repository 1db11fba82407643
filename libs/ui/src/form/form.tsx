import { type ReactNode, useEffect, useRef } from "react";
import { DialogButtons } from "../components/dialog-buttons.tsx";
import { FormError } from "../errors/form-error.tsx";
import type { FormState } from "./use-form.ts";

interface FormProps {
  /** The form of `useForm`. */
  form: FormState;
  /** The fields. */
  children?: ReactNode;
  /** The buttons, below the refusal of the server. */
  foot?: ReactNode;
  /** The foot shows the refusal itself. */
  hidesRefusal?: boolean;
  className?: string | undefined;
}

/** A control that is wrong, or that is in a group which is. */
const faultyControl =
  ":is(input, textarea, select, button, [tabindex='0']):is([aria-invalid=true], [data-invalid] *)";

/** A form with its fields, the refusal of the server that is about none of them, and its buttons. */
export const Form = (props: FormProps) => {
  const { form, children, foot, hidesRefusal, className = "flex flex-col gap-4" } = props;
  const { attemptCount, error, refusal, submit } = form;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (attemptCount > 0 || error !== null)
      element.current?.querySelector<HTMLElement>(faultyControl)?.focus();
  }, [attemptCount, error]);
  return (
    <form noValidate ref={element} className={className} onSubmit={submit}>
      {children}
      {!hidesRefusal && Boolean(refusal) && <FormError error={refusal} />}
      {foot}
    </form>
  );
};

export interface DialogFormProps extends Pick<FormProps, "form" | "children"> {
  /** The verb of the button. */
  action: string;
  isDangerous?: boolean | undefined;
  /** The name of the other button, in the language of the page. */
  cancelLabel?: string | undefined;
  onClose: () => void;
}

/** A form in a dialog. A dialog without fields asks for a confirmation. */
export const DialogForm = (props: DialogFormProps) => {
  const { form, action, isDangerous, cancelLabel, onClose, children } = props;
  return (
    <Form
      form={form}
      foot={
        <DialogButtons
          action={action}
          isDangerous={isDangerous}
          cancelLabel={cancelLabel}
          isBusy={form.isPending}
          onCancel={onClose}
        />
      }
    >
      {children}
    </Form>
  );
};
