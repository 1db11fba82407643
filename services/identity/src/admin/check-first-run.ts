import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { isFirstRunOpen } from "./is-first-run-open.ts";

type CheckFirstRun = typeof operations.identity.checkFirstRun;

/** Returns whether a first-run link is valid, so that its page should show the form. */
export const checkFirstRun = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { body: { token } }: Call<CheckFirstRun>,
): Promise<Answer<OperationReply<CheckFirstRun>>> => ({
  reply: { isOpen: await isFirstRunOpen(deps, token) },
});
