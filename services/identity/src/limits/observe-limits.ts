import { type Metrics, registerCounter } from "@latchkey/service-kit/observe";

/** Observes the outcome of each limited act. */
export interface LimitObserver {
  recordMail(of: "link" | "sign-in", outcome: "sent" | "dropped" | "refused"): void;
  recordPasswordTry(outcome: "right" | "wrong" | "refused"): void;
}

/** Counts limited acts in the metrics, without names. */
export const observeLimits = (metrics: Metrics): LimitObserver => {
  const mails = registerCounter(metrics, {
    name: "link_mails_total",
    help: "Requested mails with a link while limits are on, by outcome",
    labels: ["outcome"],
  });
  const signInMails = registerCounter(metrics, {
    name: "sign_in_mails_total",
    help: "Requested mails for a sign-in while limits are on, by outcome",
    labels: ["outcome"],
  });
  const tries = registerCounter(metrics, {
    name: "password_tries_total",
    help: "Passwords that users entered in a session, by outcome",
    labels: ["outcome"],
  });
  return {
    recordMail: (of, outcome) => (of === "link" ? mails : signInMails).inc({ outcome }),
    recordPasswordTry: (outcome) => tries.inc({ outcome }),
  };
};
