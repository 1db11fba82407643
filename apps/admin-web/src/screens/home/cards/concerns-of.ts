import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";
import { conditionOf, type Queue } from "../../../components/queue-condition.ts";

type Identity = typeof operations.identity;
type Gateway = typeof operations.gateway;
type Webhooks = CallReply<typeof operations.webhooks.adminListWebhooks>["webhooks"];
type Deliveries = CallReply<typeof operations.mailer.adminListDeliveries>;

/** The known state of the installation. A member is undefined if it is not loaded yet or this admin may not read it. */
export interface Findings {
  readonly services?: CallReply<Gateway["adminReadHealth"]>["services"] | undefined;
  readonly options?: CallReply<Gateway["adminReadSettings"]>["options"] | undefined;
  readonly signingKeys?: CallReply<Identity["adminListSigningKeys"]>["keys"] | undefined;
  readonly queues?: readonly Queue[] | undefined;
  /** The latest failed mail, and the number of failed mails. */
  readonly failed?: Deliveries | undefined;
  /** The oldest mail that is being retried. */
  readonly retrying?: Deliveries | undefined;
  /** The oldest mail that was not tried yet. */
  readonly queued?: Deliveries | undefined;
  readonly webhooks?: Webhooks | undefined;
}

/** A problem that an operator should look at. */
export interface Concern {
  readonly title: string;
  /** The advice to the operator. */
  readonly advice: string;
  readonly isGrave: boolean;
  /** The screen that shows it. */
  readonly to?: string;
  readonly search?: Readonly<Record<string, string>>;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const stuckMs = 5 * minuteMs;
const recentMs = 7 * dayMs;
const oldKeyMs = 180 * dayMs;

const count = (amount: number, [one, many]: readonly [string, string]): string =>
  `${numberText(amount)} ${amount === 1 ? one : many}`;

const ofServices = ({ services = [] }: Findings): Concern[] =>
  services
    .filter(({ isReady }) => !isReady)
    .map(({ name, checks }) => {
      const away = Object.keys(checks).filter((check) => !checks[check]);
      return {
        title: `${name} is not ready`,
        advice:
          away.length > 0
            ? `It cannot reach ${away.join(" and ")}. Check that it is running, and its address in the settings.`
            : "It does not answer. Check that it is running, and check its logs.",
        isGrave: true,
      };
    });

const ofSettings = ({ options = [] }: Findings): Concern[] => {
  const option = (name: string) => options.find((known) => known.name === name);
  const isDefault = (name: string) => option(name)?.source === "default";
  const concern = (name: string, title: string, advice: string): Concern => ({
    title,
    advice,
    isGrave: name === "secret",
    to: "/settings",
    search: { q: name },
  });
  const concerns: (Concern | false)[] = [
    isDefault("secret") &&
      concern(
        "secret",
        "The default secret is in use",
        "Anyone can create a session for any user with it. Set AUTH_SECRET before others can reach this installation.",
      ),
    isDefault("baseURL") &&
      concern(
        "baseURL",
        "No base URL is set",
        "Links in emails use the host of the request. Set BASE_URL.",
      ),
    option("mail.smtpUrl")?.value === null &&
      concern(
        "mail.smtpUrl",
        "Emails are captured, not sent",
        "No SMTP server is configured. Set SMTP_URL to send emails. Until then, read them on the Emails screen.",
      ),
    isDefault("mail.from") &&
      option("mail.smtpUrl")?.value !== null &&
      concern(
        "mail.from",
        "The default sender is in use",
        "Many servers refuse email from localhost. Set MAIL_FROM.",
      ),
  ];
  return concerns.filter((concern) => concern !== false);
};

const ofSigningKeys = ({ signingKeys = [] }: Findings, now: Date): Concern[] => {
  const place = { to: "/signing-keys" };
  const locked = signingKeys.filter(({ opens }) => !opens);
  const signing = signingKeys.find(({ state }) => state === "signing");
  const ageMs = signing ? now.getTime() - Date.parse(signing.createdAt) : 0;
  return [
    ...(locked.length > 0
      ? [
          {
            title: `${count(locked.length, ["signing key", "signing keys"])} cannot be opened`,
            advice: "Add the secret that encrypted it after the current one, or rotate the keys.",
            isGrave: true,
            ...place,
          },
        ]
      : []),
    ...(ageMs > oldKeyMs
      ? [
          {
            title: `The signing key is ${count(Math.floor(ageMs / dayMs), ["day", "days"])} old`,
            advice: "Rotate the signing keys. Nobody is signed out.",
            isGrave: false,
            ...place,
          },
        ]
      : []),
  ];
};

const olderThan = (ms: number, { deliveries }: Deliveries, now: Date): boolean =>
  deliveries.some(({ createdAt }) => now.getTime() - Date.parse(createdAt) > ms);

const ofMails = ({ failed, retrying, queued }: Findings, now: Date): Concern[] => {
  const mails = ["email", "emails"] as const;
  const place = (state: string) => ({ to: "/mail", search: { state } });
  const reason = retrying?.deliveries.find(({ lastError }) => lastError)?.lastError;
  return [
    ...(retrying && retrying.total > 0
      ? [
          {
            title: `SMTP fails: ${count(retrying.total, mails)} retrying`,
            advice: reason ? `The server said: ${reason.slice(0, 300)}` : "See the server's reply.",
            isGrave: true,
            ...place("retrying"),
          },
        ]
      : []),
    ...(queued && olderThan(stuckMs, queued, now)
      ? [
          {
            title: `${count(queued.total, mails)} ${queued.total === 1 ? "is" : "are"} stuck`,
            advice:
              "They have been waiting for more than five minutes. Check that the mailer is running.",
            isGrave: true,
            ...place("queued"),
          },
        ]
      : []),
    ...(failed && failed.deliveries.length > 0 && !olderThan(recentMs, failed, now)
      ? [
          {
            title: `${count(failed.total, mails)} could not be sent`,
            advice: "Fix the cause and retry.",
            isGrave: false,
            ...place("failed"),
          },
        ]
      : []),
  ];
};

const ofQueues = ({ queues = [] }: Findings, now: Date): Concern[] =>
  queues.flatMap((queue) => {
    const { name, failed, waiting } = queue;
    const place = { to: "/queues", search: { queue: name } };
    const condition = conditionOf(queue, now);
    return [
      ...(condition === "healthy"
        ? []
        : [
            {
              title: `The queue of ${name} ${condition === "stopped" ? "stands still" : "is behind"}`,
              advice: `${count(waiting, ["message waits", "messages wait"])}. Check that ${name} is running, and its load.`,
              isGrave: condition === "stopped",
              ...place,
            },
          ]),
      ...(failed > 0
        ? [
            {
              title: `${count(failed, ["message", "messages"])} to ${name} failed`,
              advice: "Fix the cause and retry, or discard them.",
              isGrave: false,
              ...place,
            },
          ]
        : []),
    ];
  });

/** Leads to the webhook, or to the list of several. */
const placeOfWebhooks = (found: Webhooks, state: string) => {
  const [first, ...others] = found;
  return first && others.length === 0
    ? { to: `/webhooks/${encodeURIComponent(first.id)}` }
    : { to: "/webhooks", search: { state } };
};

/** A webhook that a user paused is no problem. */
const ofWebhooks = ({ webhooks = [] }: Findings): Concern[] => {
  const kinds = [
    {
      found: webhooks.filter(({ stateReason }) => stateReason === "failures"),
      state: "paused",
      words: ["webhook was paused", "webhooks were paused"],
      advice: "The receiver kept failing. Fix it, then resume the webhook to send what waits.",
    },
    {
      found: webhooks.filter(({ stateReason }) => stateReason === "gone"),
      state: "disabled",
      words: ["webhook is disabled", "webhooks are disabled"],
      advice: "The receiver answered 410 Gone. Resume the webhook or delete it.",
    },
    {
      found: webhooks.filter(({ state, failingSince }) => state === "active" && failingSince),
      state: "active",
      words: ["webhook is failing", "webhooks are failing"],
      advice: "Its deliveries are retried. See the responses of the receiver.",
    },
  ] as const;
  return kinds.flatMap(({ found, state, words, advice }) => {
    if (found.length === 0) return [];
    const title = count(found.length, words);
    return [{ title, advice, isGrave: false, ...placeOfWebhooks(found, state) }];
  });
};

/** Returns the problems to look at, the most severe first. */
export const concernsOf = (findings: Findings, now: Date): Concern[] =>
  [
    ...ofServices(findings),
    ...ofSettings(findings),
    ...ofSigningKeys(findings, now),
    ...ofMails(findings, now),
    ...ofQueues(findings, now),
    ...ofWebhooks(findings),
  ].toSorted((one, other) => Number(other.isGrave) - Number(one.isGrave));
