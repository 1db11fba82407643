import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { limitWithin } from "../../limit-within.ts";
import { invite, withOrganization } from "../../organizations.ts";

const name = "organization.invitationLimit";

/** An organization has no more pending invitations than the options let it have. */
export const invitationLimit: Check = {
  class: "counters",
  name: "the last invitation of an organization is sent once",
  remedy: `Organizations have more pending invitations than ${name}. Update Latchkey.`,
  run: async (ground) => {
    const limit = limitWithin(ground, name);
    const { ada } = await ground.people();
    const newEmail = () => ground.emailOf(ground.newName());
    return withOrganization(ground, ada, async (organizationId) => {
      for (let sent = 1; sent < limit; sent += 1)
        await invite(ada, { email: newEmail(), organizationId });
      const answers = await ground.race(() => {
        const body = { email: newEmail(), organizationId, role: "member" };
        return ada.browser.ask(operations.organization.inviteMember, { body }, { isOnce: true });
      });
      return judgeServed(answers);
    });
  },
};
