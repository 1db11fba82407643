"use client";

import type { ReactNode } from "react";
import { useSession } from "../session/use-session.ts";

export interface SignedOutProps {
  children?: ReactNode;
}

/** Shows its children to signed-out users alone. Shows nothing while the session is not known. */
export const SignedOut = ({ children }: SignedOutProps) =>
  useSession().status === "signed-out" ? <>{children}</> : null;
