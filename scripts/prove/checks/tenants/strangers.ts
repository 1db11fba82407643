import { errorCatalogue, type Operation } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { describeAnswer } from "../../done.ts";
import { inputOf } from "../../input-of.ts";
import { isNotOffered, publicOperations } from "../../offered-operations.ts";
import { withTenants } from "../../with-tenants.ts";

const guarded = publicOperations.filter(({ access }) => access !== "anyone");

const signedOutStatus = ({ signedOut = "UNAUTHORIZED" }: Operation): number =>
  typeof signedOut === "string" ? errorCatalogue[signedOut].status : signedOut[1];

/** Who has no session reaches nothing that is somebody's. */
export const strangers: Check = {
  class: "tenants",
  name: "every operation that needs a session refuses who has none",
  remedy: "Take the deployment off the net: it answers anybody. Then update Latchkey.",
  run: async (ground) =>
    withTenants(ground, async ({ theirs, judge }) => {
      const stranger = ground.anybody();
      for (const operation of guarded) {
        const answer = await stranger.ask(operation, inputOf(operation, theirs));
        if (isNotOffered(answer)) judge.leaveOut(operation);
        else if (answer.status === signedOutStatus(operation)) judge.note(operation);
        else judge.blame(`${operation.name} answered a stranger ${describeAnswer(answer)}`);
      }
    }),
};
