"use client";

import { useState } from "react";

/** The state of an operation that a button starts. */
export interface Attempt {
  isPending: boolean;
  hasFailed: boolean;
  /** Runs the operation unless it is pending. Runs `then` if it succeeded. */
  run: (operation: () => Promise<void>, then: () => void) => void;
}

/** Follows an operation, so that it does not run twice at a time and its failure can be shown. */
export const useAttempt = (): Attempt => {
  const [state, setState] = useState<"idle" | "pending" | "failed">("idle");
  const attempt = async (operation: () => Promise<void>, then: () => void) => {
    setState("pending");
    try {
      await operation();
    } catch {
      setState("failed");
      return;
    }
    setState("idle");
    then();
  };
  return {
    isPending: state === "pending",
    hasFailed: state === "failed",
    run: (operation, then) => {
      if (state !== "pending") void attempt(operation, then);
    },
  };
};
