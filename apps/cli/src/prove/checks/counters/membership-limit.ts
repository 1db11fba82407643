import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import type { Account, CheckContext } from "../../check-context.ts";
import { judgeServed } from "../../judge-served.ts";
import { limitWithin } from "../../limit-within.ts";
import { withOrganization } from "../../organizations.ts";

const name = "organization.membershipLimit";
/** Limits the number of users that the run has to create. */
const contendersMax = 8;

const createUsers = async (context: CheckContext, count: number): Promise<Account[]> => {
  const users: Account[] = [];
  for (let made = 0; made < count; made += 1) users.push(await context.createUser());
  return users;
};

/** Checks that an organization never exceeds its limit of members. */
export const membershipLimit: Check = {
  class: "counters",
  name: "the last place in an organization is taken once",
  remedy: `Organizations have more members than ${name}. Update Latchkey.`,
  run: async (context) => {
    const limit = limitWithin(context, name);
    const contenders = Math.min(context.measure.callers, contendersMax);
    const { ada } = await context.people();
    return withOrganization(context, ada, async (id) => {
      const add = (user: Account | undefined, isOnce = false) => {
        const sent = { params: { id }, body: { userId: user?.id, role: "member" } };
        return context.admin().ask(operations.organization.adminAddMember, sent, { isOnce });
      };
      // The owner takes one place, and one stays free.
      const users = await createUsers(context, Math.max(0, limit - 2) + contenders);
      for (const user of users.splice(contenders)) await done(add(user), "a member");
      await context.gateway.warm();
      const answers = await Promise.all(users.map((user) => add(user, true)));
      return judgeServed(answers, { count: limit > 1 ? 1 : 0 });
    });
  },
};
