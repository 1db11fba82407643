import { Input as Base } from "@base-ui/react/input";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { inputStyle } from "./input-style.ts";

interface InputProps extends Omit<ComponentProps<typeof Base>, "className"> {
  className?: string | undefined;
}

/** A single-line text input. Use it in a `Field`. */
export const Input = ({ className, ...rest }: InputProps) => (
  <Base {...rest} className={classNames(inputStyle, className)} />
);
