import { type Caller, type RefusalReason, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { refusalReasonOf } from "../refused-sign-ins/refusal-tally.ts";
import { attemptedUserOf } from "../refused-sign-ins/attempted-user.ts";

type Needs = Pick<Deps, "activity">;

/** Returns whether an error refuses a sign-in. A server error does not. */
const isRefusal = (error: unknown): error is WireError =>
  error instanceof WireError && error.code !== "SERVICE_UNAVAILABLE";

/**
 * Counts a refused sign-in, and records it for the user whom it names. Sign-ins of unknown users are only counted: nothing that a client
 * has typed is stored.
 */
export const recordRefusal = ({ activity }: Needs, caller: Caller, reason: RefusalReason): void => {
  const userId = attemptedUserOf(caller);
  activity.recordRefusedSignIn(
    reason,
    userId === undefined ? undefined : { userId, ipAddress: caller.address },
  );
};

/** Runs a sign-in and records its refusal, for whatever reason. */
export const countRefusal = async <T>(
  deps: Needs,
  caller: Caller,
  signIn: () => Promise<T>,
): Promise<T> => {
  try {
    return await signIn();
  } catch (error) {
    if (isRefusal(error)) recordRefusal(deps, caller, refusalReasonOf(error));
    throw error;
  }
};

type CallHandler<Called, Answered> = (deps: Deps, call: Called) => Promise<Answered>;

/** Returns a handler of a sign-in that also records its refusals. */
export const countRefusals =
  <Called extends { caller: Caller }, Answered>(
    handler: CallHandler<Called, Answered>,
  ): CallHandler<Called, Answered> =>
  (deps, call) =>
    countRefusal(deps, call.caller, () => handler(deps, call));

/** The same for the second step of a sign-in. In a session, where it is a step-up, it records nothing. */
export const countSecondStepRefusals =
  <Called extends { caller: Caller }, Answered>(
    handler: CallHandler<Called, Answered>,
  ): CallHandler<Called, Answered> =>
  (deps, call) => {
    const { activity } = deps;
    const ofSignIn: Needs["activity"] = {
      ...activity,
      recordRefusedSignIn: (reason, user) => {
        if (user) activity.recordRefusedSignIn(reason, user);
      },
    };
    return countRefusal({ activity: ofSignIn }, call.caller, () => handler(deps, call));
  };
