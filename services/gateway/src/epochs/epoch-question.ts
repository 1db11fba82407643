import { randomUUID } from "node:crypto";
import { operations } from "@latchkey/contracts";
import { createOperationClient, signCaller } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { FollowOptions } from "./follow-epochs.ts";

/** How to ask identity for the epochs that users have moved on to, in the name of the gateway. */
export const createEpochQuestion = ({
  services,
  ring,
  clock,
}: Pick<Deps, "clock" | "ring" | "services">): FollowOptions["ask"] => {
  const identity = createOperationClient({
    pool: services.identity,
    signFor: ({ name: operation }) => {
      const nobody = { baseUrl: "", address: "", userAgent: "" };
      const caller = { requestId: randomUUID(), operation, service: "gateway", ...nobody };
      return signCaller(ring, caller, clock());
    },
  });
  const { followUserEpochs } = operations.identity;
  return (after, signal) => identity.call(followUserEpochs, { body: { after } }, { signal });
};
