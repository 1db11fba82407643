import type {
  AuthenticationMethod,
  KeptChanges,
  SessionEffect,
  TwoFactorChallenge,
} from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import type { FirstFactor } from "../sign-in/finish-sign-in.ts";

export type DemandSecondFactorNeeds = Pick<Deps, "clock" | "config" | "db">;

/** Whether a sign-in needs a second factor. */
export type SecondFactorDemand =
  | {
      kind: "none";
      /** Methods that stood in for a second factor, such as a trusted device. */
      methods: readonly AuthenticationMethod[];
      secondFactorAt?: Date;
      keeps?: KeptChanges;
    }
  | {
      kind: "challenge";
      challenge: TwoFactorChallenge;
      /** Clears the browser's session and keeps the sign-in. */
      effect: Extract<SessionEffect, { kind: "clear" }>;
    };

/** Decides whether a sign-in needs a second factor, and if so stores the sign-in until that is passed. */
export const demandSecondFactor = async (
  _deps: DemandSecondFactorNeeds,
  _factor: FirstFactor,
): Promise<SecondFactorDemand> => ({ kind: "none", methods: [] });
