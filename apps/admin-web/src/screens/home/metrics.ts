import type { Permission } from "../../access/access.ts";

/** The owner of the statistics that contain a metric. */
export type StatisticsOwner = "identity" | "apikey" | "mailer";

export interface Metric {
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
    label: "Sign-ups",
    unit: "sign-ups",
    owner: "identity",
    of: ["signUps"],
    by: "sum",
    way: { to: "/users", search: { sort: "createdAt", dir: "desc" }, needs: "user:list" },
  },
  {
    label: "Sign-ins",
    unit: "sign-ins",
    owner: "identity",
    of: ["signIns"],
    by: "sum",
    way: audit("session.created"),
  },
  {
    label: "Failed sign-ins",
    unit: "failures",
    owner: "identity",
    of: ["signInsFailed"],
    by: "sum",
    isBad: true,
    way: { to: "/audit", search: { service: "refused-sign-ins" }, needs: "audit:list" },
  },
  {
    label: "Daily active users",
    unit: "users",
    owner: "identity",
    of: ["activeUsers"],
    by: "average",
    way: { to: "/users", search: {}, needs: "user:list" },
  },
  {
    label: "API keys verified",
    unit: "uses",
    owner: "apikey",
    of: ["valid"],
    by: "sum",
    way: { to: "/api-keys", search: {}, needs: "apiKey:list" },
  },
  {
    label: "API keys refused",
    unit: "uses",
    owner: "apikey",
    of: ["refused"],
    by: "sum",
    isBad: true,
    way: { to: "/api-keys", search: {}, needs: "apiKey:list" },
  },
  {
    label: "Emails sent",
    unit: "emails",
    owner: "mailer",
    of: ["sent", "captured"],
    by: "sum",
    note: "or captured",
    way: { to: "/mail", search: {}, needs: "delivery:list" },
  },
  {
    label: "Emails failed",
    unit: "emails",
    owner: "mailer",
    of: ["failed"],
    by: "sum",
    isBad: true,
    way: { to: "/mail", search: { state: "failed" }, needs: "delivery:list" },
  },
];
