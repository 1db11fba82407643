import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import type { Account, Ground } from "../../ground.ts";
import { judgeServed } from "../../judge-served.ts";
import { limitWithin } from "../../limit-within.ts";
import { withOrganization } from "../../organizations.ts";

const name = "organization.membershipLimit";
/** Each is a user whom the run has to make. */
const contendersMax = 8;

const createUsers = async (ground: Ground, count: number): Promise<Account[]> => {
  const users: Account[] = [];
  for (let made = 0; made < count; made += 1) users.push(await ground.createUser());
  return users;
};

/** An organization has no more members than the options let it have. */
export const membershipLimit: Check = {
  class: "counters",
  name: "the last place in an organization is taken once",
  remedy: `Organizations have more members than ${name}. Update Latchkey.`,
  run: async (ground) => {
    const limit = limitWithin(ground, name);
    const contenders = Math.min(ground.measure.callers, contendersMax);
    const { ada } = await ground.people();
    return withOrganization(ground, ada, async (id) => {
      const add = (user: Account | undefined, isOnce = false) => {
        const sent = { params: { id }, body: { userId: user?.id, role: "member" } };
        return ground.admin().ask(operations.organization.adminAddMember, sent, { isOnce });
      };
      // The owner has a place, and one stays free.
      const users = await createUsers(ground, Math.max(0, limit - 2) + contenders);
      for (const user of users.splice(contenders)) await done(add(user), "a member");
      await ground.door.warm();
      const answers = await Promise.all(users.map((user) => add(user, true)));
      return judgeServed(answers, { count: limit > 1 ? 1 : 0 });
    });
  },
};
