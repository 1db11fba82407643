import type { Caller } from "@latchkey/contracts";
import type { InteractionResults } from "oidc-provider";
import type { Deps } from "../deps.ts";
import type { Engine } from "../engine/engine.ts";
import type { ProtocolAnswer } from "../engine/protocol-request.ts";
import { findInteraction, type Interaction, textParam } from "../engine/interactions.ts";
import { paramTexts, readQuery } from "../engine/oauth-query.ts";
import { silentConsent, type SignedIn } from "../engine/work.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "findEngine" | "ring">;

/** Returns the issuer: the configured base URL, else the one under which the client reached the gateway. */
export const issuerOf = (
  { config }: Pick<Deps, "config">,
  { baseUrl }: Pick<Caller, "baseUrl">,
): string =>
  config.baseURL === undefined ? baseUrl : new URL(config.baseURL).origin + config.basePath;

/** Returns the interaction of a signed query. Undefined if the signature is not ours, or if the interaction was answered or has expired. */
export const openInteraction = async (
  { db, ring, clock }: Pick<Needs, "clock" | "db" | "ring">,
  query: string,
): Promise<Interaction | undefined> => {
  const read = readQuery(ring, query, clock());
  return read && findInteraction(db, read.interactionId, new Date(clock()));
};

/** Returns the request of an interaction as the client sent it. */
const searchOf = ({ params }: Interaction): string => {
  const prompts = textParam(params, "prompt").split(" ");
  const prompt = prompts.includes(silentConsent)
    ? prompts.filter((name) => name !== silentConsent && name !== "consent").join(" ")
    : params["prompt"];
  const sent = { ...params, prompt, request: undefined, request_uri: undefined };
  const texts = paramTexts(sent).filter(([, text]) => text !== "");
  return `?${new URLSearchParams(texts).toString()}`;
};

/** Begins the request of an interaction anew. */
const restart = (engine: Engine, interaction: Interaction, session: SignedIn | undefined) =>
  engine.run({ method: "GET", path: "/oauth2/authorize", search: searchOf(interaction), session });

/** Returns whether the user has signed in as the interaction asks: at all, or after its beginning. */
const isSatisfied = ({ reasons, startedAt }: Interaction, { authenticatedAt }: SignedIn): boolean =>
  reasons.every((reason) => reason === "no_session") ||
  authenticatedAt.getTime() >= startedAt.getTime();

/** Continues after a sign-in or sign-up. A page that another user opens, or before a sign-in, begins anew. */
export const goOn = (
  engine: Engine,
  interaction: Interaction,
  session: SignedIn | undefined,
): Promise<ProtocolAnswer> => {
  const { prompt, answer } = interaction;
  if (answer && session?.userId === answer.userId)
    return engine.resume(interaction.id, { result: answer.result, session });
  if (!session || prompt === "consent") return restart(engine, interaction, session);
  if (prompt === "select_account")
    return engine.resume(interaction.id, { result: { select_account: {} }, session });
  if (!isSatisfied(interaction, session)) return restart(engine, interaction, session);
  const { userId: accountId, authenticatedAt, amr, acr } = session;
  const ts = Math.floor(authenticatedAt.getTime() / 1_000);
  const done: InteractionResults = { login: { accountId, ts, amr, acr } };
  const result = prompt === "create" ? { ...done, create: {} } : done;
  return engine.resume(interaction.id, { result, session });
};
