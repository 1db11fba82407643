import { operations } from "@latchkey/contracts";
import type { Check, Found } from "../../check.ts";
import type { Ground } from "../../ground.ts";
import { judgeServed } from "../../judge-served.ts";
import { invite, readOrganization, withOrganization } from "../../organizations.ts";
import { isServed } from "../../tally.ts";

const { acceptInvitation, rejectInvitation } = operations.organization;

const race = async (ground: Ground, organizationId: string): Promise<Found> => {
  const { ada, mia } = await ground.people();
  const invitationId = await invite(ada, { email: mia.email, organizationId });
  const answers = await ground.race((index) => {
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

/** An invitation ends in one way: accepted or rejected, by one of many requests. */
export const invitation: Check = {
  class: "once",
  name: "an invitation is accepted or rejected once",
  remedy: "Look for members who rejected their invitation, and update Latchkey.",
  run: async (ground) => {
    const { ada } = await ground.people();
    return withOrganization(ground, ada, (id) => race(ground, id));
  },
};
