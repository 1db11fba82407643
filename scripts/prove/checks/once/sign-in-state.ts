import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import type { Ground } from "../../ground.ts";
import type { Answer } from "../../http/connections.ts";
import { judgeServed } from "../../judge-served.ts";
import { NotProven } from "../../not-proven.ts";

const { identity } = operations;

/** Where it is told that the provider gave no code: only a state that counts leads there. */
const place = "/prove-was-here";

const providerOf = (ground: Ground): string => {
  const [provider] = ground.providers();
  if (provider === undefined) throw new NotProven("a provider in socialProviders");
  return provider;
};

const isWin = ({ status, headers }: Answer): boolean =>
  status === 302 && (headers.location ?? "").includes(place);

/** The state of a sign-in by a provider counts once; the provider itself is never asked. */
export const signInState: Check = {
  class: "once",
  name: "a callback counts once for the sign-in that it ends",
  remedy: "The state of a sign-in counted twice. Update Latchkey.",
  run: async (ground) => {
    const provider = providerOf(ground);
    const browser = ground.anybody();
    const body = { provider, callbackURL: "/", errorCallbackURL: place, disableRedirect: true };
    const { url = "" } = await done(
      browser.ask(identity.signInSocial, { body }),
      `a sign-in by ${provider}`,
    );
    const state = URL.parse(url)?.searchParams.get("state");
    if (!state) throw new Error(`a sign-in by ${provider} names no state`);
    const sent = { params: { id: provider }, query: { state } };
    const answers = await ground.race(() =>
      browser.copy().ask(identity.callback, sent, { isOnce: true }),
    );
    return judgeServed(answers, { isWin });
  },
};
