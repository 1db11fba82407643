import { Field as Base } from "@base-ui/react/field";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface FieldProps {
  label: ReactNode;
  /** The control: a `Select`, a `Combobox` or another control of the library. */
  children: ReactNode;
  description?: ReactNode;
  /** The validation error. */
  error?: string | undefined;
  /** Shows the label to screen readers only. */
  hidesLabel?: boolean | undefined;
  className?: string | undefined;
}

/** A form control linked to its label, description and error. */
export const Field = (props: FieldProps) => {
  const { label, children, description, error, hidesLabel, className } = props;
  return (
    <Base.Root
      invalid={error !== undefined}
      className={classNames("flex flex-col gap-1.5", className)}
    >
      <Base.Label className={hidesLabel ? "sr-only" : "font-medium"}>{label}</Base.Label>
      {children}
      {description && (
        <Base.Description className="text-sm text-muted">{description}</Base.Description>
      )}
      {error !== undefined && (
        <Base.Error match={true} className="text-sm text-danger">
          {error}
        </Base.Error>
      )}
    </Base.Root>
  );
};
