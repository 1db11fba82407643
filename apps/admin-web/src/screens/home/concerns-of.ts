import type { CallReply } from "../../api/call.ts";
import type { operations } from "../../api/contracts.ts";

type Identity = typeof operations.identity;
type Gateway = typeof operations.gateway;
type Deliveries = CallReply<typeof operations.mailer.adminListDeliveries>;

/** What is known of the installation; what is not known (yet, or to this admin) is undefined. */
export interface Findings {
  readonly services?: CallReply<Gateway["adminReadHealth"]>["services"] | undefined;
  readonly options?: CallReply<Gateway["adminReadSettings"]>["options"] | undefined;
  readonly signingKeys?: CallReply<Identity["adminListSigningKeys"]>["keys"] | undefined;
  readonly queues?: CallReply<Identity["adminListQueues"]>["queues"] | undefined;
  /** The last of the mails that were given up, with their count. */
  readonly failed?: Deliveries | undefined;
  /** The oldest of those that are tried again. */
  readonly retrying?: Deliveries | undefined;
  /** The oldest of those that were not tried yet. */
  readonly queued?: Deliveries | undefined;
}

/** Something that an operator should look at. */
export interface Concern {
  readonly title: string;
  /** What to do about it. */
  readonly advice: string;
  readonly isGrave: boolean;
  /** Where to look at it. */
  readonly to?: string;
  readonly search?: Readonly<Record<string, string>>;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const stuckMs = 5 * minuteMs;
const recentMs = 7 * dayMs;
const oldKeyMs = 180 * dayMs;

const count = (amount: number, [one, many]: readonly [string, string]): string =>
  `${new Intl.NumberFormat("en").format(amount)} ${amount === 1 ? one : many}`;

const ofServices = ({ services = [] }: Findings): Concern[] =>
  services
    .filter(({ isReady }) => !isReady)
    .map(({ name, checks }) => {
      const away = Object.keys(checks).filter((check) => !checks[check]);
      return {
        title: `${name} is not ready`,
        advice:
          away.length > 0
            ? `It does not reach ${away.join(" and ")}. See that it runs, and its address in the settings.`
            : "It does not answer. See that it runs, and look into its logs.",
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
  const found: (Concern | false)[] = [
    isDefault("secret") &&
      concern(
        "secret",
        "The secret is the default one",
        "Whoever knows it can make sessions of anybody. Set AUTH_SECRET before others can reach this.",
      ),
    isDefault("baseURL") &&
      concern(
        "baseURL",
        "No base URL is set",
        "Links in mails lead to where the request came to. Set BASE_URL.",
      ),
    option("mail.smtpUrl")?.value === null &&
      concern(
        "mail.smtpUrl",
        "Mails are captured, not sent",
        "No SMTP server is named. Set SMTP_URL to have mails sent; until then they are on the screen Mail.",
      ),
    isDefault("mail.from") &&
      option("mail.smtpUrl")?.value !== null &&
      concern(
        "mail.from",
        "Mails come from the default sender",
        "Many servers refuse mail from localhost. Set MAIL_FROM.",
      ),
  ];
  return found.filter((concern) => concern !== false);
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
            advice: "Add the secret that sealed it behind the present one, or rotate the keys.",
            isGrave: true,
            ...place,
          },
        ]
      : []),
    ...(ageMs > oldKeyMs
      ? [
          {
            title: `The signing key is ${count(Math.floor(ageMs / dayMs), ["day", "days"])} old`,
            advice: "Rotate the signing keys; nobody is signed out by it.",
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
  const mails = ["mail", "mails"] as const;
  const place = (state: string) => ({ to: "/mail", search: { state } });
  const reason = retrying?.deliveries.find(({ lastError }) => lastError)?.lastError;
  return [
    ...(retrying && retrying.total > 0
      ? [
          {
            title: `SMTP fails: ${count(retrying.total, mails)} wait to be tried again`,
            advice: reason
              ? `The server said: ${reason.slice(0, 300)}`
              : "See what the server said.",
            isGrave: true,
            ...place("retrying"),
          },
        ]
      : []),
    ...(queued && olderThan(stuckMs, queued, now)
      ? [
          {
            title: `${count(queued.total, mails)} are stuck`,
            advice: "They were not tried for five minutes and more. See that the mailer runs.",
            isGrave: true,
            ...place("queued"),
          },
        ]
      : []),
    ...(failed && failed.deliveries.length > 0 && !olderThan(recentMs, failed, now)
      ? [
          {
            title: `${count(failed.total, mails)} could not be sent`,
            advice: "See why, mend it, and retry.",
            isGrave: false,
            ...place("failed"),
          },
        ]
      : []),
  ];
};

const ofQueues = ({ queues = [] }: Findings): Concern[] =>
  queues
    .filter(({ failed }) => failed > 0)
    .map(({ name, failed }) => ({
      title: `${count(failed, ["message", "messages"])} to ${name} failed`,
      advice: "What was asked for is not done. See why, then retry or discard it.",
      isGrave: false,
      to: "/queues",
      search: { queue: name },
    }));

/** What should be looked at, the gravest first. */
export const concernsOf = (findings: Findings, now: Date): Concern[] =>
  [
    ...ofServices(findings),
    ...ofSettings(findings),
    ...ofSigningKeys(findings, now),
    ...ofMails(findings, now),
    ...ofQueues(findings),
  ].toSorted((one, other) => Number(other.isGrave) - Number(one.isGrave));
