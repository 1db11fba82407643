import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { until } from "@latchkey/testkit";
import { type Arrival, type EventReceivers, type Manner, manners } from "./event-receivers.ts";
import type { Ledger } from "./ledger.ts";
import { admin } from "./own-postgres.ts";

/** The webhooks of a storm, one for each receiver. */
export interface StormWebhooks {
  /** The place of the last event before they existed. */
  after: number;
  /** Ends the delays of failed deliveries, as an admin does after an outage. */
  resumeAll(): Promise<void>;
}

const triesMax = 20;
const pauseMs = 500;

/** Sends a request of the admin. Repeats one that fails, because a system recovers in its own time. */
const post = async <Body>(url: string, body: object, token?: string): Promise<Body> => {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        origin: new URL(url).origin,
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    if (response.ok) return (await response.json()) as Body;
    if (tries === triesMax || response.status < 500)
      throw new Error(`${url} answered ${response.status} ${await response.text()}`);
    await delay(pauseMs);
  }
};

const signIn = async (gateway: string): Promise<string> =>
  (await post<{ token: string }>(`${gateway}/sign-in/email`, admin)).token;

/** Creates a webhook for all events at each receiver. */
export const createWebhooks = async (
  gateway: string,
  { pool, receivers }: { pool: Pool; receivers: EventReceivers },
): Promise<StormWebhooks> => {
  const token = await signIn(gateway);
  const ids = await Promise.all(
    manners.map(async (manner) => {
      const body = { url: receivers.urlOf(manner) };
      return (await post<{ id: string }>(`${gateway}/admin/webhooks`, body, token)).id;
    }),
  );
  const { rows } = await pool.query<{ last: number | null }>(
    "select max(sequence) as last from webhooks.event",
  );
  return {
    after: rows[0]?.last ?? 0,
    resumeAll: async () => {
      const later = await signIn(gateway);
      for (const id of ids)
        for (const act of ["pause", "resume"])
          await post(`${gateway}/admin/webhooks/${id}/${act}`, {}, later);
    },
  };
};

interface StoredEvent {
  id: string;
  subject: string;
}

const readEvents = async (pool: Pool, { after }: StormWebhooks): Promise<StoredEvent[]> => {
  const { rows } = await pool.query<StoredEvent>(
    `select id, subject_kind || ':' || subject_id as subject from webhooks.event
     where sequence > $1 order by sequence`,
    [after],
  );
  return rows;
};

/** Each acknowledged change with the event that tells of it. */
const owedEvents = ({ invitations, keys, sessions }: Ledger): string[] => [
  ...new Set(sessions.map(({ userId }) => `user.created ${userId}`)),
  ...keys.map(({ id }) => `api-key.created ${id}`),
  ...invitations
    .filter(({ acceptedCount }) => acceptedCount > 0)
    .map(({ organizationId, userId }) => `member.added ${organizationId} ${userId}`),
];

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const nameOf = ({ type, data }: Arrival): string => {
  if (type === "member.added")
    return `${type} ${text(data["organizationId"])} ${text(data["userId"])}`;
  if (type.startsWith("api-key.")) return `${type} ${text(data["apiKeyId"])}`;
  return `${type} ${text(data["userId"])}`;
};

/** Returns the acknowledged changes of which a receiver has not heard. */
const unheardBy = (ledger: Ledger, arrivals: readonly Arrival[]): string[] => {
  const organizationsCount = ledger.organizations.size;
  const heard = new Set(arrivals.map(nameOf));
  const created = new Set(
    arrivals
      .filter(({ type }) => type === "organization.created")
      .map(({ data }) => text(data["organizationId"])),
  );
  return [
    ...owedEvents(ledger).filter((name) => !heard.has(name)),
    ...(created.size < organizationsCount
      ? [`${organizationsCount - created.size} organization.created`]
      : []),
  ];
};

/** Returns the events that a receiver got before an earlier one of the same subject. */
const overtakenAt = (manner: Manner, arrivals: readonly Arrival[], stored: StoredEvent[]) => {
  const firstAt = new Map<string, number>();
  for (const [place, { id }] of arrivals.entries()) if (!firstAt.has(id)) firstAt.set(id, place);
  const bySubject = Map.groupBy(stored, ({ subject }) => subject);
  return [...bySubject].flatMap(([subject, events]) => {
    const places = events.map(({ id }) => firstAt.get(id) ?? -1);
    const isOrdered = places.every(
      (place, index) => index === 0 || place > (places[index - 1] ?? -1),
    );
    return isOrdered ? [] : [`events of ${subject} arrived out of order where it ${manner}`];
  });
};

/**
 * Heals the receivers, and waits until each has every event of the acknowledged changes and every stored event. Returns the events that
 * arrived out of order.
 */
export const settleEvents = async (
  ledger: Ledger,
  {
    pool,
    receivers,
    webhooks,
    timeoutMs,
  }: { pool: Pool; receivers: EventReceivers; webhooks: StormWebhooks; timeoutMs: number },
): Promise<string[]> => {
  receivers.heal();
  await webhooks.resumeAll();
  let stored: StoredEvent[] = [];
  const missing = async (): Promise<string[]> => {
    stored = await readEvents(pool, webhooks);
    return manners.flatMap((manner) => {
      const arrivals = receivers.arrivedAt(manner);
      const ids = new Set(arrivals.map(({ id }) => id));
      return [
        ...unheardBy(ledger, arrivals),
        ...stored.filter(({ id }) => !ids.has(id)).map(({ id }) => `event ${id}`),
      ].map((name) => `${name} where it ${manner}`);
    });
  };
  let missingNames: string[] = [];
  await until(
    async () => {
      missingNames = await missing();
      return missingNames.length === 0;
    },
    { timeoutMs, intervalMs: 500, describe: "all events at all receivers" },
  ).catch((cause: unknown) => {
    throw new Error(
      `${missingNames.length} events are missing: ${missingNames.slice(0, 5).join("; ")}`,
      { cause },
    );
  });
  return manners.flatMap((manner) => overtakenAt(manner, receivers.arrivedAt(manner), stored));
};

/** Returns the figures of the receivers for the report. */
export const describeArrivals = (receivers: EventReceivers): string =>
  manners
    .map((manner) => {
      const arrivals = receivers.arrivedAt(manner);
      const distinct = new Set(arrivals.map(({ id }) => id)).size;
      return `${manner}: ${distinct} events, ${arrivals.length - distinct} repeated`;
    })
    .join("; ");
