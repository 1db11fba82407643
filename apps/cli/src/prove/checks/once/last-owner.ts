import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { enrol, withOrganization } from "../../organizations.ts";

/** Checks that an organization keeps an owner when its two owners leave at once. */
export const lastOwner: Check = {
  class: "once",
  name: "of two owners who leave at once one stays",
  remedy: "Find organizations without an owner in /admin, and give them one.",
  run: async (context) => {
    const creatorRole = context.option("organization.creatorRole");
    const role = typeof creatorRole === "string" ? creatorRole : "owner";
    const { ada, bob } = await context.people();
    return withOrganization(context, ada, async (organizationId) => {
      await enrol(context, bob, { organizationId, role });
      const answers = await context.race((index) => {
        const { browser } = index % 2 === 0 ? ada : bob;
        const body = { organizationId };
        return browser.ask(operations.organization.leaveOrganization, { body }, { isOnce: true });
      });
      return judgeServed(answers);
    });
  },
};
