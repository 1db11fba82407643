import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { NotProven } from "../../not-proven.ts";
import { withOrganization } from "../../organizations.ts";

/** As docs/security.md has it. */
const toOneAddressMax = 5;

/** Nobody has a stranger mailed again and again. */
export const mailedInvitations: Check = {
  class: "counters",
  name: `one inviter sends one address ${toOneAddressMax} invitations an hour`,
  remedy: "Members can flood a stranger with invitations. Update Latchkey.",
  run: async (ground) => {
    const limit = ground.option("organization.invitationLimit");
    if (typeof limit !== "number" || limit <= toOneAddressMax)
      throw new NotProven(`organization.invitationLimit above ${toOneAddressMax}`);
    const { ada } = await ground.people();
    const email = ground.emailOf(ground.newName());
    return withOrganization(ground, ada, async (organizationId) => {
      const body = { email, organizationId, role: "member", resend: true };
      const answers = await ground.race(() =>
        ada.browser.ask(operations.organization.inviteMember, { body }, { isOnce: true }),
      );
      return judgeServed(answers, { count: toOneAddressMax });
    });
  },
};
