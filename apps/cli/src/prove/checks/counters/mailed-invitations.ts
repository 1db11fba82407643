import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { limitWithin } from "../../limit-within.ts";
import { NotProven } from "../../not-proven.ts";
import { withOrganization } from "../../organizations.ts";

const option = "organization.invitationsPerAddressAndHour";

/** Checks that a member cannot flood a stranger with mails. */
export const mailedInvitations: Check = {
  class: "counters",
  name: "an inviter sends an address no more invitations an hour than the options allow",
  remedy: "Members can flood a stranger with invitations. Update Latchkey.",
  run: async (context) => {
    const count = limitWithin(context, option);
    const pendingMax = context.option("organization.invitationLimit");
    if (typeof pendingMax !== "number" || pendingMax <= count)
      throw new NotProven(`organization.invitationLimit above ${option}`);
    const { ada } = await context.people();
    const email = context.emailOf(context.newName());
    return withOrganization(context, ada, async (organizationId) => {
      const body = { email, organizationId, role: "member", resend: true };
      const answers = await context.race(() =>
        ada.browser.ask(operations.organization.inviteMember, { body }, { isOnce: true }),
      );
      return judgeServed(answers, { count });
    });
  },
};
