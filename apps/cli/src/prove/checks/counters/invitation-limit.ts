import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { limitWithin } from "../../limit-within.ts";
import { invite, withOrganization } from "../../organizations.ts";

const name = "organization.invitationLimit";

/** Checks that an organization never exceeds its limit of pending invitations. */
export const invitationLimit: Check = {
  class: "counters",
  name: "the last invitation of an organization is sent once",
  remedy: `Organizations have more pending invitations than ${name}. Update Latchkey.`,
  run: async (context) => {
    const limit = limitWithin(context, name);
    const { ada } = await context.people();
    const newEmail = () => context.emailOf(context.newName());
    return withOrganization(context, ada, async (organizationId) => {
      for (let sent = 1; sent < limit; sent += 1)
        await invite(ada, { email: newEmail(), organizationId });
      const answers = await context.race(() => {
        const body = { email: newEmail(), organizationId, role: "member" };
        return ada.browser.ask(operations.organization.inviteMember, { body }, { isOnce: true });
      });
      return judgeServed(answers);
    });
  },
};
