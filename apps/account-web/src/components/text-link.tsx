import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

const Anchor = ({ children, ...rest }: ComponentProps<"a">) => (
  <a {...rest} className="py-3 font-medium text-link underline-offset-2 hover:underline">
    {children}
  </a>
);

/** A link to another page of this web, within a text. */
export const TextLink = createLink(Anchor);
