import type { Permission } from "../../access/access.ts";
import { t } from "../../texts.ts";

/** The owner of the statistics that contain a metric. */
export type StatisticsOwner = "identity" | "apikey" | "mailer";

export interface Metric {
  /** Names it in the address. */
  readonly name: string;
  readonly label: string;
  /** The counted things, as the axis of the chart names them. */
  readonly unit: string;
  readonly owner: StatisticsOwner;
  /** The members of a day that are added up. */
  readonly of: readonly string[];
  /** Use `average` for users who are counted anew every day, where a sum would count the same user several times. */
  readonly by: "sum" | "average";
  readonly isBad?: boolean;
  readonly note?: string;
  /** The screen that lists the counted items, for admins with the permission. */
  readonly way?: {
    readonly to: string;
    readonly search: Readonly<Record<string, string>>;
    readonly needs: Permission;
  };
}

const audit = (action: string): NonNullable<Metric["way"]> => ({
  to: "/audit",
  search: { q: action },
  needs: "audit:list",
});

/** The metrics of the first screen, in display order. */
export const metrics: readonly Metric[] = [
  {
    name: "sign-ups",
    label: t("home.metrics.signUps"),
    unit: t("home.units.signUps"),
    owner: "identity",
    of: ["signUps"],
    by: "sum",
    way: { to: "/users", search: { sort: "createdAt", dir: "desc" }, needs: "user:list" },
  },
  {
    name: "sign-ins",
    label: t("home.metrics.signIns"),
    unit: t("home.units.signIns"),
    owner: "identity",
    of: ["signIns"],
    by: "sum",
    way: audit("session.created"),
  },
  {
    name: "failed-sign-ins",
    label: t("home.metrics.failedSignIns"),
    unit: t("home.units.failures"),
    owner: "identity",
    of: ["signInsFailed"],
    by: "sum",
    isBad: true,
    way: { to: "/audit", search: { service: "refused-sign-ins" }, needs: "audit:list" },
  },
  {
    name: "active-users",
    label: t("home.metrics.activeUsers"),
    unit: t("home.units.users"),
    owner: "identity",
    of: ["activeUsers"],
    by: "average",
    way: { to: "/users", search: {}, needs: "user:list" },
  },
  {
    name: "keys-verified",
    label: t("home.metrics.keysVerified"),
    unit: t("home.units.uses"),
    owner: "apikey",
    of: ["valid"],
    by: "sum",
    way: { to: "/api-keys", search: {}, needs: "apiKey:list" },
  },
  {
    name: "keys-refused",
    label: t("home.metrics.keysRefused"),
    unit: t("home.units.uses"),
    owner: "apikey",
    of: ["refused"],
    by: "sum",
    isBad: true,
    way: { to: "/api-keys", search: {}, needs: "apiKey:list" },
  },
  {
    name: "emails-sent",
    label: t("home.metrics.mailsSent"),
    unit: t("home.units.mails"),
    owner: "mailer",
    of: ["sent", "captured"],
    by: "sum",
    note: t("home.metrics.orCaptured"),
    way: { to: "/mail", search: {}, needs: "delivery:list" },
  },
  {
    name: "emails-failed",
    label: t("home.metrics.mailsFailed"),
    unit: t("home.units.mails"),
    owner: "mailer",
    of: ["failed"],
    by: "sum",
    isBad: true,
    way: { to: "/mail", search: { state: "failed" }, needs: "delivery:list" },
  },
];
