import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { enrol, withOrganization } from "../../organizations.ts";

/** An organization keeps an owner, also where its two owners leave at once. */
export const lastOwner: Check = {
  class: "once",
  name: "of two owners who leave at once one stays",
  remedy: "Look for organizations without an owner by /admin, and give them one.",
  run: async (ground) => {
    const creatorRole = ground.option("organization.creatorRole");
    const role = typeof creatorRole === "string" ? creatorRole : "owner";
    const { ada, bob } = await ground.people();
    return withOrganization(ground, ada, async (organizationId) => {
      await enrol(ground, bob, { organizationId, role });
      const answers = await ground.race((index) => {
        const { browser } = index % 2 === 0 ? ada : bob;
        const body = { organizationId };
        return browser.ask(operations.organization.leaveOrganization, { body }, { isOnce: true });
      });
      return judgeServed(answers);
    });
  },
};
