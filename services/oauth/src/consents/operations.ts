import { type Caller, type Event, WireError } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import type { InteractionResults } from "oidc-provider";
import type { Deps, Handler } from "../deps.ts";
import { readMetadata, scopeNames } from "../engine/client-metadata.ts";
import { endAndRecord } from "../engine/commit.ts";
import { consentNames, findAmong, limitToScopes, readConsent } from "../engine/resources.ts";
import { answerInteraction, type Interaction, textParam } from "../engine/interactions.ts";
import { findClient } from "../engine/queries.ts";
import { goOn, issuerOf, openInteraction } from "../sign-in/go-on.ts";
import { signedInAs } from "../sign-in/signed-in.ts";
import {
  addToConsent,
  deleteConsent,
  deleteUserRows,
  type ListedConsent,
  listConsents,
  lockConsent,
  updateConsentScopes,
} from "./queries.ts";

/** Returns the interaction of a page that this user may answer. Throws `INVALID_SIGNATURE`. */
const openFor = async (deps: Deps, query: string, userId: string): Promise<Interaction> => {
  const interaction = await openInteraction(deps, query);
  // Another user must not answer what this one was asked.
  if (!interaction || (interaction.userId !== null && interaction.userId !== userId))
    throw new WireError("INVALID_SIGNATURE");
  return interaction;
};

/** Returns where the browser goes. */
const goTo = (url: string) => ({ reply: { redirect: true as const, url } });

/** Returns the address at which the browser itself continues. It shows the page that posts a form to the client. */
const pageOf = (issuer: string, query: string): string => `${issuer}/oauth2/authorize?${query}`;

const isForm = ({ params }: Interaction): boolean =>
  textParam(params, "response_mode") === "form_post";

/** Answers a consent page: the scopes are added to those that the user has granted before, and the client gets its code. */
export const oauthConsent: Handler<"oauthConsent"> = async (deps, { caller, body }) => {
  const session = signedInAs(caller);
  const query = body.oauth_query;
  const interaction = await openFor(deps, query, session.userId);
  if (interaction.prompt !== "consent") throw new WireError("INVALID_REQUEST");
  const requested = scopeNames(textParam(interaction.params, "scope"));
  const scopes = body.scope === undefined ? requested : scopeNames(body.scope);
  if (scopes.some((scope) => !requested.includes(scope))) throw new WireError("INVALID_REQUEST");
  const result: InteractionResults =
    body.accept && scopes.length > 0
      ? { consent: { scopes } }
      : { error: "access_denied", error_description: "the user denied the request" };
  const issuer = issuerOf(deps, caller);
  const { userId } = session;
  if (isForm(interaction)) {
    if (!(await answerInteraction(deps.db, interaction.id, { userId, result })))
      throw new WireError("INVALID_SIGNATURE");
    if (!("error" in result)) await recordConsent(deps, { caller, interaction, scopes });
    return goTo(pageOf(issuer, query));
  }
  const engine = await deps.findEngine(issuer);
  const answer = await engine.resume(interaction.id, { result, session });
  if (answer.page) throw new WireError("INVALID_SIGNATURE");
  if (!("error" in result)) await recordConsent(deps, { caller, interaction, scopes });
  return goTo(answer.headers["location"] ?? pageOf(issuer, query));
};

const recordConsent = async (
  deps: Deps,
  given: { caller: Caller; interaction: Interaction; scopes: readonly string[] },
): Promise<void> => {
  const { caller, interaction, scopes } = given;
  const { userId } = signedInAs(caller);
  const { clientId, params } = interaction;
  const { scopes: ofUsers, resources: configured } = deps.config.oauthProvider;
  const resources = [params["resource"]]
    .flat()
    .flatMap((identifier) => findAmong(configured, String(identifier)) ?? []);
  const names = consentNames(scopes, { ofUsers, resources });
  await deps.db.transaction().execute(async (trx) => {
    const now = new Date(deps.clock());
    await addToConsent(trx, { id: deps.newId(), clientId, userId, scopes: names, now });
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: userId },
      subject: { kind: "user", id: userId },
      action: "oauth-consent.given",
      caller,
      after: { clientId, scopes, resources: resources.map(({ identifier }) => identifier) },
    });
  });
};

/** Continues after a sign-in or a sign-up. */
export const oauthContinue: Handler<"oauthContinue"> = async (deps, { caller, body }) => {
  const session = signedInAs(caller);
  const query = body.oauth_query;
  const interaction = await openInteraction(deps, query);
  if (!interaction) throw new WireError("INVALID_SIGNATURE");
  const issuer = issuerOf(deps, caller);
  if (isForm(interaction)) return goTo(pageOf(issuer, query));
  const answer = await goOn(await deps.findEngine(issuer), interaction, session);
  if (answer.page) throw new WireError("INVALID_REQUEST");
  return goTo(answer.headers["location"] ?? pageOf(issuer, query));
};

/** Shows what a consent page says about a client. Its redirect URIs are left out. */
export const getOauthPublicClient: Handler<"getOauthPublicClient"> = async (deps, { query }) => {
  const client = await findClient(deps.db, query.client_id, new Date(deps.clock()));
  if (!client || client.disabled) throw new WireError("OAUTH_CLIENT_NOT_FOUND");
  return {
    reply: {
      ...readMetadata(client.metadata),
      client_id: client.id,
      redirect_uris: [],
      is_verified: client.origin === "admin",
    },
  };
};

/** Returns the places to which a client sends browsers, as users know them. */
const hostsOf = (redirectUris: readonly string[]): string[] => [
  ...new Set(
    redirectUris.map((uri) => {
      const { host, protocol } = new URL(uri);
      return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1);
    }),
  ),
];

export const showConsent = ({ metadata, scopes, ...row }: ListedConsent) => {
  const { client_name: clientName, redirect_uris } = readMetadata(metadata);
  return {
    ...row,
    ...readConsent(scopes),
    clientHosts: hostsOf(redirect_uris),
    ...(clientName !== undefined && { clientName }),
  };
};

export const listOauthConsents: Handler<"listOauthConsents"> = async (deps, { session }) => ({
  reply: (await listConsents(deps.db, { userId: session.user.id })).map(showConsent),
});

/** Throws `OAUTH_CONSENT_NOT_FOUND`, also for the consent of somebody else. */
const findOwn = async (deps: Pick<Deps, "db">, of: { userId: string; id: string }) => {
  const [row] = await listConsents(deps.db, of);
  if (!row) throw new WireError("OAUTH_CONSENT_NOT_FOUND");
  return showConsent(row);
};

export const getOauthConsent: Handler<"getOauthConsent"> = async (deps, { session, query }) => ({
  reply: await findOwn(deps, { userId: session.user.id, id: query.id }),
});

/** Leaves a consent with fewer scopes, or none. The grants of the client end, because tokens name the scopes of their beginning. */
const reduce = async (
  deps: Deps,
  { caller, userId, id, scopes }: { caller: Caller; userId: string; id: string; scopes: string[] },
): Promise<void> => {
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockConsent(trx, { userId, id });
    if (!row) throw new WireError("OAUTH_CONSENT_NOT_FOUND");
    const { scopes: before } = readConsent(row.scopes);
    if (scopes.some((scope) => !before.includes(scope))) throw new WireError("INVALID_REQUEST");
    const now = new Date(deps.clock());
    if (scopes.length === 0) await deleteConsent(trx, id);
    else await updateConsentScopes(trx, { id, scopes: limitToScopes(row.scopes, scopes), now });
    const filter = { userId, clientId: row.clientId };
    await endAndRecord(trx, deps, { filter, reason: "consent-withdrawn" });
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: userId },
      subject: { kind: "user", id: userId },
      action: "oauth-consent.withdrawn",
      caller,
      before: { clientId: row.clientId, scopes: before },
      after: { scopes },
    });
  });
};

/** Throws `INVALID_REQUEST` for a scope that the consent does not have: more is granted only on the consent page. */
export const updateOauthConsent: Handler<"updateOauthConsent"> = async (
  deps,
  { caller, session, body: { id, update } },
) => {
  const { id: userId } = session.user;
  const scopes = [...new Set(update.scopes)];
  if (scopes.length === 0) throw new WireError("INVALID_REQUEST");
  await reduce(deps, { caller, userId, id, scopes });
  return { reply: await findOwn(deps, { userId, id }) };
};

export const deleteOauthConsent: Handler<"deleteOauthConsent"> = async (
  deps,
  { caller, session, body: { id } },
) => {
  await reduce(deps, { caller, userId: session.user.id, id, scopes: [] });
  return { reply: { success: true } };
};

/** Deletes what a deleted user has granted. Their tokens were void already, because each use looks the user up. */
export const forgetUser = async (
  deps: Pick<Deps, "db">,
  { data: { userId } }: Event<"user.deleted">,
): Promise<void> => {
  await deps.db.transaction().execute((trx) => deleteUserRows(trx, userId));
};
