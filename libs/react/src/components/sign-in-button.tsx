"use client";

import type { ComponentPropsWithoutRef } from "react";
import { useLatchkeyContext } from "../latchkey-context.ts";
import { classNames } from "./class-names.ts";

export interface SignInButtonProps extends Omit<ComponentPropsWithoutRef<"a">, "href"> {
  /** The URL to which the user returns. Default: the page on which the user clicks. Latchkey must trust its origin. */
  redirectTo?: string | undefined;
}

/** A link to the sign-in page of Latchkey, from which the user returns. Its text is by default "Sign in". */
export const SignInButton = ({
  redirectTo,
  className,
  onClick,
  children = "Sign in",
  ...rest
}: SignInButtonProps) => {
  const { accountUrl } = useLatchkeyContext();
  const leadTo = (target: string | undefined) =>
    `${accountUrl}/sign-in${target === undefined ? "" : `?redirect_to=${encodeURIComponent(target)}`}`;
  return (
    <a
      data-latchkey="sign-in-button"
      {...rest}
      className={classNames("latchkey-sign-in-button", className)}
      href={leadTo(redirectTo)}
      onClick={(event) => {
        onClick?.(event);
        // The address of the page can change without a new rendering, so only the click knows it.
        event.currentTarget.href = leadTo(redirectTo ?? window.location.href);
      }}
    >
      {children}
    </a>
  );
};
