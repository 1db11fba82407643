import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { evilHost } from "../../hostile-places.ts";
import type { Answer } from "../../http/connections.ts";
import { linkMailedBy } from "../../mails.ts";
import { NotProven } from "../../not-proven.ts";

const { identity } = operations;

const forged: readonly Readonly<Record<string, string>>[] = [
  { host: evilHost },
  { "x-forwarded-host": evilHost, "x-forwarded-proto": "https" },
  { forwarded: `host=${evilHost};proto=https` },
  { "x-original-host": evilHost, "x-host": evilHost },
];

const leadsAway = ({ headers, text }: Answer): boolean =>
  (headers.location ?? "").includes(evilHost) || text.includes(evilHost);

/** Attack: a request with the attacker's host makes a reset mail link to that host. */
export const foreignHosts: Check = {
  class: "redirects",
  name: "no link and no mail contains the host that a request names",
  remedy: "Set BASE_URL, so that links never contain a host from a request.",
  run: async (context) => {
    if (!context.option("baseURL"))
      throw new NotProven("baseURL: without it links carry the host that is asked for");
    const { email } = await context.createUser();
    const problems: string[] = [];
    for (const headers of forged) {
      const named = Object.keys(headers).join(" and ");
      const query = { token: "x", callbackURL: "/" };
      const browser = context.anybody();
      const answer = await browser.ask(identity.verifyEmail, { query }, { headers });
      if (leadsAway(answer)) problems.push(`by ${named} a link led to ${evilHost}`);
    }
    const [, headers = {}] = forged;
    const mailed = await linkMailedBy(context, email, () =>
      context.anybody().ask(identity.requestPasswordReset, { body: { email } }, { headers }),
    );
    if (mailed.host === evilHost) problems.push(`a mail led to ${evilHost}`);
    return {
      figures: `${forged.length} requests and a mail, which led to ${mailed.host}`,
      problems,
    };
  },
};
