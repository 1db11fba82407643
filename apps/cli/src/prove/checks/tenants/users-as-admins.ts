import { errorCatalogue, type Operation, wireCode } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { describeAnswer } from "../../done.ts";
import type { Answer } from "../../http/connections.ts";
import { inputOf } from "../../input-of.ts";
import { isNotOffered, publicOperations } from "../../offered-operations.ts";
import { withTenants } from "../../with-tenants.ts";

const ofAdmins = publicOperations.filter(({ access }) => access === "permission");

const isRefusal = ({ permission }: Operation, { status, body }: Answer): boolean => {
  const error = permission?.refusal ?? "FORBIDDEN";
  const { code } = (body ?? {}) as { code?: string };
  return status === errorCatalogue[error].status && code === wireCode(error);
};

/** Checks that a user who is not an admin can perform no admin operation. */
export const usersAsAdmins: Check = {
  class: "tenants",
  name: "every admin operation refuses users who are not admins",
  remedy: "Users can act as admins. Check the audit log for their actions, and update Latchkey.",
  run: async (context) =>
    withTenants(context, async ({ theirs, attacker, judge }) => {
      for (const operation of ofAdmins) {
        const answer = await attacker.browser.ask(operation, inputOf(operation, theirs));
        if (isNotOffered(answer)) judge.leaveOut(operation);
        else if (isRefusal(operation, answer)) judge.note(operation);
        else judge.blame(`${operation.name} answered a user ${describeAnswer(answer)}`);
      }
    }),
};
