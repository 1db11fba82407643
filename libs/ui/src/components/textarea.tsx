import { Field } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { inputStyle } from "./input-style.ts";

interface TextareaProps extends ComponentProps<"textarea"> {
  className?: string | undefined;
}

/** A multi-line text input. Use it in a `Field`. */
export const Textarea = ({ className, ...rest }: TextareaProps) => (
  <Field.Control
    render={<textarea {...rest} className={classNames(inputStyle, "ui-textarea", className)} />}
  />
);
