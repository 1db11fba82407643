import { classNames } from "@latchkey/ui/components/class-names.ts";
import { inputStyle } from "@latchkey/ui/components/input-style.ts";
import { type ComponentProps, type ReactNode, useId } from "react";

interface TextFieldProps extends Omit<ComponentProps<"input">, "className"> {
  label: ReactNode;
  /** An explanation below the control. */
  hint?: ReactNode;
  /** The validation error. */
  error?: string | undefined;
  /** A link beside the label. */
  corner?: ReactNode;
}

/** A text input with its label, hint and error. It is native, so that the sign-in page stays small. */
export const TextField = ({ label, hint, error, corner, ...input }: TextFieldProps) => {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const hinted = hint ? hintId : undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {corner}
      </div>
      <input
        {...input}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? hinted : errorId}
        className={classNames(inputStyle, "h-10", error !== undefined && "border-danger")}
      />
      {hint && error === undefined && (
        <p id={hintId} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={errorId} className="text-xs text-danger">
          {error}
        </p>
      )}
    </div>
  );
};

interface CheckFieldProps extends Omit<ComponentProps<"input">, "className" | "type"> {
  label: ReactNode;
}

/** A checkbox with its label. */
export const CheckField = ({ label, ...input }: CheckFieldProps) => (
  <label className="flex items-center gap-2">
    <input {...input} type="checkbox" className="size-4 shrink-0 accent-accent" />
    <span>{label}</span>
  </label>
);
