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

/** Attack: a reset mail that leads to the attacker's host, asked for with that host in the request. */
export const foreignHosts: Check = {
  class: "redirects",
  name: "no link and no mail names the host that a request says",
  remedy: "Set BASE_URL, so that links never carry what a stranger wrote.",
  run: async (ground) => {
    if (!ground.option("baseURL"))
      throw new NotProven("baseURL: without it links carry the host that is asked for");
    const { email } = await ground.createUser();
    const problems: string[] = [];
    for (const headers of forged) {
      const named = Object.keys(headers).join(" and ");
      const query = { token: "x", callbackURL: "/" };
      const browser = ground.anybody();
      const answer = await browser.ask(identity.verifyEmail, { query }, { headers });
      if (leadsAway(answer)) problems.push(`by ${named} a link led to ${evilHost}`);
    }
    const [, headers = {}] = forged;
    const mailed = await linkMailedBy(ground, email, () =>
      ground.anybody().ask(identity.requestPasswordReset, { body: { email } }, { headers }),
    );
    if (mailed.host === evilHost) problems.push(`a mail led to ${evilHost}`);
    return {
      figures: `${forged.length} requests and a mail, which led to ${mailed.host}`,
      problems,
    };
  },
};
