"use client";

import type { ReactNode } from "react";
import { useSession } from "../session/use-session.ts";

export interface SignedInProps {
  children?: ReactNode;
}

/**
 * Shows its children to signed-in users alone. Hides, but does not protect: your server must check the session of each request. Shows
 * nothing while the session is not known.
 */
export const SignedIn = ({ children }: SignedInProps) =>
  useSession().status === "signed-in" ? <>{children}</> : null;

export interface SignedOutProps {
  children?: ReactNode;
}

/** Shows its children to signed-out users alone. Shows nothing while the session is not known. */
export const SignedOut = ({ children }: SignedOutProps) =>
  useSession().status === "signed-out" ? <>{children}</> : null;
