import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { conditionOf, type Queue } from "../../../components/queue-condition.ts";
import { listText, t } from "../../../texts.ts";

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

const ofServices = ({ services = [] }: Findings): Concern[] =>
  services
    .filter(({ isReady }) => !isReady)
    .map(({ name, checks }) => {
      const away = Object.keys(checks).filter((check) => !checks[check]);
      return {
        title: t("home.concerns.service", { name }),
        advice:
          away.length > 0
            ? t("home.concerns.unreachable", { parts: listText(away) })
            : t("home.concerns.silent"),
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
      concern("secret", t("home.concerns.secret.title"), t("home.concerns.secret.advice")),
    isDefault("baseURL") &&
      concern("baseURL", t("home.concerns.baseUrl.title"), t("home.concerns.baseUrl.advice")),
    option("mail.smtpUrl")?.value === null &&
      concern(
        "mail.smtpUrl",
        t("home.concerns.captured.title"),
        t("home.concerns.captured.advice"),
      ),
    isDefault("mail.from") &&
      option("mail.smtpUrl")?.value !== null &&
      concern("mail.from", t("home.concerns.sender.title"), t("home.concerns.sender.advice")),
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
            title: t("home.concerns.lockedKeys.title", { count: locked.length }),
            advice: t("home.concerns.lockedKeys.advice"),
            isGrave: true,
            ...place,
          },
        ]
      : []),
    ...(ageMs > oldKeyMs
      ? [
          {
            title: t("home.concerns.oldKey.title", { count: Math.floor(ageMs / dayMs) }),
            advice: t("home.concerns.oldKey.advice"),
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
  const place = (state: string) => ({ to: "/mail", search: { state } });
  const reason = retrying?.deliveries.find(({ lastError }) => lastError)?.lastError;
  return [
    ...(retrying && retrying.total > 0
      ? [
          {
            title: t("home.concerns.smtp.title", { count: retrying.total }),
            advice: reason
              ? t("home.concerns.smtp.reason", { reason: reason.slice(0, 300) })
              : t("home.concerns.smtp.noReason"),
            isGrave: true,
            ...place("retrying"),
          },
        ]
      : []),
    ...(queued && olderThan(stuckMs, queued, now)
      ? [
          {
            title: t("home.concerns.stuck.title", { count: queued.total }),
            advice: t("home.concerns.stuck.advice"),
            isGrave: true,
            ...place("queued"),
          },
        ]
      : []),
    ...(failed && failed.deliveries.length > 0 && !olderThan(recentMs, failed, now)
      ? [
          {
            title: t("home.concerns.failedMails.title", { count: failed.total }),
            advice: t("home.concerns.failedMails.advice"),
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
              title: t(`home.concerns.queue.${condition}`, { queue: name }),
              advice: t("home.concerns.queue.advice", { count: waiting, queue: name }),
              isGrave: condition === "stopped",
              ...place,
            },
          ]),
      ...(failed > 0
        ? [
            {
              title: t("home.concerns.messages.title", { count: failed, queue: name }),
              advice: t("home.concerns.messages.advice"),
              isGrave: false,
              ...place,
            },
          ]
        : []),
    ];
  });

/** Leads to the deliveries of the webhook, or to the list of several. */
const placeOfWebhooks = (found: Webhooks, state: string) => {
  const [first, ...others] = found;
  return first && others.length === 0
    ? { to: `/webhooks/${encodeURIComponent(first.id)}`, search: { tab: "deliveries" } }
    : { to: "/webhooks", search: { state } };
};

/** A webhook that a user paused is no problem. */
const ofWebhooks = ({ webhooks = [] }: Findings): Concern[] => {
  const kinds = [
    {
      found: webhooks.filter(({ stateReason }) => stateReason === "failures"),
      state: "paused",
      title: "home.concerns.pausedWebhooks.title",
      advice: t("home.concerns.pausedWebhooks.advice"),
    },
    {
      found: webhooks.filter(({ stateReason }) => stateReason === "gone"),
      state: "disabled",
      title: "home.concerns.disabledWebhooks.title",
      advice: t("home.concerns.disabledWebhooks.advice"),
    },
    {
      found: webhooks.filter(({ state, failingSince }) => state === "active" && failingSince),
      state: "active",
      title: "home.concerns.failingWebhooks.title",
      advice: t("home.concerns.failingWebhooks.advice"),
    },
  ] as const;
  return kinds.flatMap(({ found, state, title, advice }) => {
    if (found.length === 0) return [];
    return [
      {
        title: t(title, { count: found.length }),
        advice,
        isGrave: false,
        ...placeOfWebhooks(found, state),
      },
    ];
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
