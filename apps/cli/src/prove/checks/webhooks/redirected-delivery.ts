import type { Check } from "../../check.ts";
import { awaitAttempts, readInbox, sendTestEvent, withWebhook } from "../../webhooks.ts";

const statuses = [301, 302, 303, 307, 308];

/** Attack: a receiver redirects a delivery into the network of the deployment, whose response an attacker then reads. */
export const redirectedDelivery: Check = {
  class: "webhooks",
  name: "no redirect of a receiver is followed",
  remedy: "Receivers reach your network by redirects. Update Latchkey.",
  run: async (context) => {
    const receiver = await context.receiver();
    // A place that the deployment certainly reaches, so that a followed redirect is seen.
    const target = receiver.openInbox(context.newName(), { statuses: [200] });
    const problems: string[] = [];
    for (const status of statuses) {
      const responding = { statuses: [status], location: target.url };
      const inbox = receiver.openInbox(context.newName(), responding);
      await withWebhook(context, inbox.url, async (webhook) => {
        const details = await awaitAttempts(context, await sendTestEvent(context, webhook), 1);
        readInbox(inbox, details);
        if (details.delivery.state === "delivered")
          problems.push(`a redirect with ${status} counted as a success`);
      });
    }
    if (target.received.length > 0)
      problems.push(`${target.received.length} of ${statuses.length} redirects were followed`);
    return {
      figures: `${statuses.length} redirects, ${target.received.length} followed`,
      problems,
    };
  },
};
