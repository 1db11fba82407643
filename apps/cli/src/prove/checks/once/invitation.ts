import { operations } from "@latchkey/contracts";
import type { Check, Found } from "../../check.ts";
import type { CheckContext } from "../../check-context.ts";
import { judgeServed } from "../../judge-served.ts";
import { invite, readOrganization, withOrganization } from "../../organizations.ts";
import { isServed } from "../../tally.ts";

const { acceptInvitation, rejectInvitation } = operations.organization;

const race = async (context: CheckContext, organizationId: string): Promise<Found> => {
  const { ada, mia } = await context.people();
  const invitationId = await invite(ada, { email: mia.email, organizationId });
  const answers = await context.race((index) => {
    const decide = index % 2 === 0 ? acceptInvitation : rejectInvitation;
    return mia.browser.ask(decide, { body: { invitationId } }, { isOnce: true });
  });
  const { figures, problems } = judgeServed(answers);
  const isAccepted = answers.some((answer, index) => index % 2 === 0 && isServed(answer));
  const { members = [] } = (await readOrganization(ada, organizationId)) ?? {};
  const places = members.filter(({ userId }) => userId === mia.id).length;
  const expected = isAccepted ? 1 : 0;
  const amiss = places === expected ? [] : [`${places} memberships came of it, not ${expected}`];
  return { figures, problems: [...problems, ...amiss] };
};

/** Checks that an invitation is either accepted or rejected, by one of many concurrent requests. */
export const invitation: Check = {
  class: "once",
  name: "an invitation is accepted or rejected once",
  remedy: "Look for members who rejected their invitation, and update Latchkey.",
  run: async (context) => {
    const { ada } = await context.people();
    return withOrganization(context, ada, (id) => race(context, id));
  },
};
