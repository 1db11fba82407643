import { Button as BaseButton } from "@base-ui/react/button";
import type { ComponentProps } from "react";
import { type ButtonKind, type ButtonSize, buttonStyle } from "./button-style.ts";
import { classNames } from "./class-names.ts";
import { Spinner } from "./spinner.tsx";

export interface ButtonProps extends Omit<ComponentProps<typeof BaseButton>, "className"> {
  kind?: ButtonKind | undefined;
  size?: ButtonSize | undefined;
  className?: string | undefined;
  /** The action is pending: the button shows a spinner and ignores clicks. It keeps the focus. */
  isBusy?: boolean | undefined;
}

/** A button for actions on the page. Use a link for navigation. */
export const Button = ({ kind, size, className, isBusy, children, ...rest }: ButtonProps) => (
  <BaseButton
    type="button"
    {...rest}
    disabled={isBusy || rest.disabled}
    focusableWhenDisabled={isBusy || rest.focusableWhenDisabled}
    aria-busy={isBusy || undefined}
    className={classNames(buttonStyle(kind, size), className)}
  >
    {isBusy && <Spinner />}
    {children}
  </BaseButton>
);
