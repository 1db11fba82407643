import { operations } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import type { FollowOptions } from "./follow-epochs.ts";

/** Calls identity for new user versions. */
export const createEpochQuestion = ({ identity }: Pick<Deps, "identity">): FollowOptions["ask"] => {
  const { followUserEpochs } = operations.identity;
  return (after, signal) => identity.call(followUserEpochs, { body: { after } }, { signal });
};
