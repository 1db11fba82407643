import { type FactName, WireError } from "@latchkey/contracts";
import { appendAudit, sessionActor } from "@latchkey/service-kit/audit";
import type { Updateable } from "kysely";
import type { EndpointTable } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type Acting, chooseContact, type ChooseContactNeeds, ownContact } from "./contact.ts";
import {
  countEndpointsLocked,
  deleteEndpointRow,
  type EndpointRow,
  findEndpoint,
  hastenLanes,
  insertEndpoint,
  lockEndpoint,
  type ShownEndpoint,
  showEndpoint,
  updateEndpoint,
} from "./queries.ts";
import { newSecret, sealSecret } from "./secrets.ts";

export type ChangeEndpointNeeds = ChooseContactNeeds &
  Pick<Deps, "clock" | "config" | "db" | "dispatch" | "newId" | "receivers" | "ring">;

/** The members of an endpoint that its owner sets. */
export interface GivenEndpoint {
  url: string;
  description?: string | undefined;
  events: string[];
  contactEmail?: string | undefined;
}

/** Limits the endpoints of the installation itself, each of which costs work for each event. */
const installationMax = 200;

const checkUrl = (
  { receivers }: Pick<Deps, "receivers">,
  { organizationId, url }: Pick<EndpointRow, "organizationId" | "url">,
): void => {
  if (!receivers.of(organizationId).allows(url)) throw new WireError("WEBHOOK_URL_NOT_ALLOWED");
};

/** Returns the audit form of an endpoint. The query of its URL may hold a secret of the receiver. */
const audited = (endpoint: Partial<EndpointRow>, names: readonly string[]) => {
  const { url, description, events, contactEmail, state, organizationId } = endpoint;
  const place = url === undefined ? undefined : URL.parse(url);
  const all: Record<string, unknown> = {
    url: place ? place.origin + place.pathname : url,
    description: description === undefined ? undefined : "changed",
    contactEmail: contactEmail === undefined ? undefined : "changed",
    events,
    state,
    organizationId,
  };
  return Object.fromEntries(names.map((name) => [name, all[name]]));
};

const subjectOf = (id: string) => ({ kind: "webhook", id });

/** An endpoint with its new secret. */
export type WithSecret = ShownEndpoint & { secret: string };

/** Creates an endpoint. Throws `WEBHOOK_URL_NOT_ALLOWED`, `WEBHOOK_LIMIT_REACHED` and the errors of `chooseContact`. */
export const createEndpoint = async (
  deps: ChangeEndpointNeeds,
  { caller, session }: Acting,
  {
    organizationId,
    byMembers = false,
    ...given
  }: GivenEndpoint & { organizationId: string | null; byMembers?: boolean },
): Promise<WithSecret> => {
  checkUrl(deps, { organizationId, url: given.url });
  const acting = { caller, session };
  const { contactEmail } = given;
  const contact =
    contactEmail === undefined
      ? ownContact(acting)
      : await chooseContact(deps, acting, { contactEmail, organizationId, isByMember: byMembers });
  const id = deps.newId();
  const secret = newSecret();
  const now = new Date(deps.clock());
  const max =
    organizationId === null ? installationMax : deps.config.webhooks.organizations.webhooksMax;
  const row = await deps.db.transaction().execute(async (trx) => {
    if ((await countEndpointsLocked(trx, organizationId)) >= max)
      throw new WireError("WEBHOOK_LIMIT_REACHED");
    const created = await insertEndpoint(trx, {
      id,
      url: given.url,
      description: given.description ?? "",
      events: [...new Set(given.events)],
      organizationId,
      byMembers,
      ...contact,
      secretSealed: sealSecret(deps.ring, id, secret),
      formerSecretSealed: null,
      formerSecretUntil: null,
      state: "active",
      stateReason: null,
      failingSince: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      createdBy: session.user.id,
      createdAt: now,
      updatedAt: now,
    });
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: subjectOf(id),
      action: "webhook.created",
      caller,
      after: audited(created, ["url", "events", "organizationId"]),
    });
    return created;
  });
  return { ...showEndpoint(row), secret };
};

/** Names an endpoint. A member also names the organization, and an endpoint of any other is unknown. */
export interface NamedEndpoint {
  id: string;
  organizationId?: string | undefined;
  /** May refuse a change by throwing. */
  check?: (row: EndpointRow) => void;
}

const isNamed = (
  row: EndpointRow | undefined,
  { organizationId }: NamedEndpoint,
): row is EndpointRow =>
  row !== undefined && (organizationId === undefined || row.organizationId === organizationId);

/** Throws `WEBHOOK_NOT_FOUND`. */
export const getEndpoint = async (
  { db }: Pick<Deps, "db">,
  named: NamedEndpoint,
): Promise<EndpointRow> => {
  const row = await findEndpoint(db, named.id);
  if (!isNamed(row, named)) throw new WireError("WEBHOOK_NOT_FOUND");
  return row;
};

interface Change {
  change: Updateable<EndpointTable>;
  action: FactName;
  /** The members that the audit records. */
  recorded: readonly string[];
}

/** Locks an endpoint and applies the change that `plan` returns. Without one, returns the endpoint as it is. */
const change = async (
  deps: ChangeEndpointNeeds,
  { caller, session }: Acting,
  { plan, ...named }: NamedEndpoint & { plan: (row: EndpointRow) => Change | undefined },
): Promise<EndpointRow> =>
  deps.db.transaction().execute(async (trx) => {
    const row = await lockEndpoint(trx, named.id);
    if (!isNamed(row, named)) throw new WireError("WEBHOOK_NOT_FOUND");
    named.check?.(row);
    const planned = plan(row);
    if (!planned) return row;
    const updatedAt = new Date(deps.clock());
    const isByMember = named.organizationId !== undefined;
    const changed = await updateEndpoint(trx, named.id, {
      ...planned.change,
      ...(isByMember && { byMembers: true }),
      updatedAt,
    });
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: subjectOf(named.id),
      action: planned.action,
      caller,
      ...(planned.recorded.length > 0 && {
        before: audited(row, planned.recorded),
        after: audited(changed, planned.recorded),
      }),
    });
    if (changed.state === "active" && row.state !== "active") await hastenLanes(trx, named.id);
    return changed;
  });

/** The changed members of an endpoint. */
export type ChangedEndpoint = { [Name in keyof GivenEndpoint]?: GivenEndpoint[Name] | undefined };

/**
 * Changes what the owner of an endpoint sets. Throws `WEBHOOK_NOT_FOUND`, `WEBHOOK_URL_NOT_ALLOWED` and the errors of `chooseContact`.
 */
export const changeEndpoint = async (
  deps: ChangeEndpointNeeds,
  acting: Acting,
  { given, ...named }: NamedEndpoint & { given: ChangedEndpoint },
): Promise<ShownEndpoint> => {
  const { url, description, events, contactEmail } = given;
  const values = { url, description, events: events && [...new Set(events)], contactEmail };
  const members = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  );
  const contact =
    contactEmail === undefined
      ? undefined
      : await chooseContact(deps, acting, {
          contactEmail,
          organizationId: (await getEndpoint(deps, named)).organizationId,
          isByMember: named.organizationId !== undefined,
        });
  const plan = ({ organizationId }: EndpointRow): Change | undefined => {
    if (url !== undefined) checkUrl(deps, { organizationId, url });
    const recorded = Object.keys(members);
    if (recorded.length === 0) return undefined;
    return { change: { ...members, ...contact }, action: "webhook.updated", recorded };
  };
  return showEndpoint(await change(deps, acting, { ...named, plan }));
};

/**
 * Pauses or resumes an endpoint. Does nothing if it has that state. One of members that is resumed while they may have none stays paused
 * until they may. Throws `WEBHOOK_NOT_FOUND`.
 */
export const setEndpointState = async (
  deps: ChangeEndpointNeeds,
  acting: Acting,
  { state, ...named }: NamedEndpoint & { state: "active" | "paused" },
): Promise<ShownEndpoint> => {
  const plan = (found: EndpointRow): Change | undefined => {
    if (found.state === state) return undefined;
    const isOfMembers = found.organizationId !== null && found.byMembers;
    if (state === "active" && isOfMembers && !deps.config.membersHaveWebhooks)
      return {
        change: { state: "paused", stateReason: "not-allowed" },
        action: "webhook.paused",
        recorded: ["state"],
      };
    const healed = { failingSince: null, failureCount: 0, restUntil: null };
    return {
      change: {
        state,
        stateReason: state === "paused" ? "user" : null,
        ...(state === "active" && healed),
      },
      action: state === "paused" ? "webhook.paused" : "webhook.resumed",
      recorded: ["state"],
    };
  };
  const row = await change(deps, acting, { ...named, plan });
  deps.dispatch.wake();
  return showEndpoint(row);
};

/** Replaces the secret. The former one signs too for the overlap. Throws `WEBHOOK_NOT_FOUND`. */
export const rotateSecret = async (
  deps: ChangeEndpointNeeds,
  acting: Acting,
  { overlapSeconds, ...named }: NamedEndpoint & { overlapSeconds: number },
): Promise<WithSecret> => {
  const secret = newSecret();
  const plan = (found: EndpointRow): Change => {
    const overlaps = overlapSeconds > 0;
    return {
      change: {
        secretSealed: sealSecret(deps.ring, found.id, secret),
        formerSecretSealed: overlaps ? found.secretSealed : null,
        formerSecretUntil: overlaps ? new Date(deps.clock() + overlapSeconds * 1_000) : null,
      },
      action: "webhook.secret-rotated",
      recorded: [],
    };
  };
  const row = await change(deps, acting, { ...named, plan });
  return { ...showEndpoint(row), secret };
};

/** Deletes an endpoint. Its deliveries are no longer sent, and the sweep deletes them. Throws `WEBHOOK_NOT_FOUND`. */
export const deleteEndpoint = async (
  deps: ChangeEndpointNeeds,
  { caller, session }: Acting,
  named: NamedEndpoint,
): Promise<void> => {
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockEndpoint(trx, named.id);
    if (!isNamed(row, named)) throw new WireError("WEBHOOK_NOT_FOUND");
    named.check?.(row);
    await deleteEndpointRow(trx, named.id);
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: subjectOf(named.id),
      action: "webhook.deleted",
      caller,
      before: audited(row, ["url", "events", "organizationId"]),
    });
  });
};
