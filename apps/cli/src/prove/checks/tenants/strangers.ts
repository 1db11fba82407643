import type { Check } from "../../check.ts";
import { describeAnswer } from "../../done.ts";
import { inputOf } from "../../input-of.ts";
import { isNotOffered, publicOperations, signedOutStatus } from "../../offered-operations.ts";
import { withTenants } from "../../with-tenants.ts";

const guarded = publicOperations.filter(({ access }) => access !== "anyone");

/** Checks that a client without a session reaches no user's data. */
export const strangers: Check = {
  class: "tenants",
  name: "every operation that needs a session refuses requests without one",
  remedy: "Take the deployment offline, because it answers everybody. Then update Latchkey.",
  run: async (context) =>
    withTenants(context, async ({ theirs, judge }) => {
      const stranger = context.anybody();
      for (const operation of guarded) {
        const answer = await stranger.ask(operation, inputOf(operation, theirs));
        if (isNotOffered(answer)) judge.leaveOut(operation);
        else if (answer.status === signedOutStatus(operation)) judge.note(operation);
        else judge.blame(`${operation.name} answered a stranger ${describeAnswer(answer)}`);
      }
    }),
};
