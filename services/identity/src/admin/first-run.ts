import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { isFirstRunOpen } from "./is-first-run-open.ts";

type FirstRun = typeof operations.identity.firstRun;

/** Whether the page of a first-run link has anything to ask. */
export const firstRun = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { query: { token } }: Call<FirstRun>,
): Promise<Answer<OperationReply<FirstRun>>> => ({
  reply: { isOpen: await isFirstRunOpen(deps, token) },
});
