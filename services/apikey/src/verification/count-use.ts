import { type Metrics, registerCounter } from "@latchkey/service-kit";
import type { UseVerdict } from "./use-key.ts";

/** Counts the outcome of a use. `malformed` is a text that cannot be a key and is never looked up. */
export type CountUse = (outcome: UseVerdict["outcome"] | "malformed") => void;

export const createUseCounter = (metrics: Metrics): CountUse => {
  const uses = registerCounter(metrics, {
    name: "api_key_uses_total",
    help: "Uses of API keys by outcome, verifications and requests by key alike",
    labels: ["outcome"],
  });
  return (outcome) => uses.inc({ outcome });
};
