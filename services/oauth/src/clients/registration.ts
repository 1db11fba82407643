import { appendAudit } from "@latchkey/service-kit/audit";
import { oauthClientMetadata, WireError } from "@latchkey/contracts";
import { hashToken, randomToken } from "@latchkey/crypto";
import type { Deps, Handler, ProtocolHandler } from "../deps.ts";
import {
  configuredScope,
  hasSecret as usesSecret,
  readMetadata,
} from "../engine/client-metadata.ts";
import { problem, type ProtocolAnswer } from "../engine/protocol-request.ts";
import { deleteArtifact, insertArtifacts } from "../engine/queries.ts";
import { columnsOf, isOnThisMachine } from "./client-columns.ts";
import { newSecret, show, shownSecret, validate } from "./operations.ts";
import { insertClient, replaceSecret } from "./queries.ts";

/** Not more than a few kilobytes of metadata. */
const bodyBytesMax = 16_384;

/** A refusal by the names of RFC 7591 section 3.2.2. */
class RegistrationError extends Error {
  readonly code: string;
  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

const readBody = (body: Buffer | undefined): Record<string, unknown> => {
  const refuse = () =>
    new RegistrationError("invalid_client_metadata", "the body must be an object in JSON");
  if (!body || body.length > bodyBytesMax) throw refuse();
  try {
    const value: unknown = JSON.parse(body.toString());
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>; // each member is checked below
  } catch {
    // refused below
  }
  throw refuse();
};

/** Returns what strangers may have of the metadata that they ask for. */
const readWanted = ({ config }: Pick<Deps, "config">, body: Record<string, unknown>) => {
  if (body["software_statement"] !== undefined)
    throw new RegistrationError("invalid_software_statement", "software statements are not read");
  const parsed = oauthClientMetadata.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = issue?.path.join(".") ?? "";
    const code = name.startsWith("redirect_uris")
      ? "invalid_redirect_uri"
      : "invalid_client_metadata";
    throw new RegistrationError(code, `${name}: ${issue?.message ?? "is invalid"}`);
  }
  const metadata = parsed.data;
  if (metadata.grant_types?.includes("client_credentials"))
    throw new RegistrationError(
      "invalid_client_metadata",
      "grant_types: only an admin gives client_credentials",
    );
  const { scopes, clientRegistrationAllowedScopes } = config.oauthProvider;
  const allowed = clientRegistrationAllowedScopes.filter((scope) => scopes.includes(scope));
  // A client of an API may ask for that API's scopes alone, which are not those of users.
  const scope = configuredScope({ scope: metadata.scope ?? "" }, allowed) || allowed.join(" ");
  const uris = metadata.redirect_uris ?? [];
  const isNative = uris.length > 0 && uris.every((uri) => isOnThisMachine(uri));
  return {
    ...metadata,
    scope,
    ...(isNative && { application_type: "native" as const }),
  };
};

const bearer = /^bearer +(\S+)$/i;

/** Returns the columns of a client that registers itself. Throws `RegistrationError`. */
export const registeredColumns = (
  deps: Pick<Deps, "clock" | "config">,
  body: Record<string, unknown>,
) => {
  const wanted = readWanted(deps, body);
  try {
    return columnsOf(deps, wanted);
  } catch (error) {
    throw asRegistrationError(error);
  }
};

const asRegistrationError = (error: unknown): unknown => {
  if (!(error instanceof WireError)) return error;
  const [issue] = error.issues ?? [];
  const code = issue?.path === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata";
  return new RegistrationError(code, [issue?.path, issue?.message].filter(Boolean).join(": "));
};

/** The initial access token was used by another registration, or never was one. */
class UnknownToken extends Error {}

type Call = Parameters<ProtocolHandler<"oauthRegister">>[1];

/** Writes a client, and uses the token up in the same transaction. Returns the answer. */
const register = async (deps: Deps, { caller, protocol }: Call): Promise<ProtocolAnswer> => {
  const token = bearer.exec(protocol.headers["authorization"] ?? "")?.[1];
  const columns = registeredColumns(deps, readBody(protocol.body));
  const now = new Date(deps.clock());
  const id = randomToken(32, "alphanumeric");
  const row = {
    id,
    ...columns,
    createdBy: "",
    createdAt: now,
    lastUsedAt: null,
    origin: "registration" as const,
  };
  await validate(deps, caller, row).catch((error: unknown) => {
    throw asRegistrationError(error);
  });
  const hasSecret = usesSecret(readMetadata(row.metadata));
  const secret = newSecret();
  await deps.db.transaction().execute(async (trx) => {
    if (token !== undefined) {
      const key = { hash: hashToken(token), kind: "RegistrationToken" as const };
      if (!(await deleteArtifact(trx, { ...key, after: now }))) throw new UnknownToken();
    }
    await insertClient(trx, row);
    if (hasSecret)
      await replaceSecret(trx, { clientId: id, hash: hashToken(secret), now, formerUntil: now });
    await appendAudit(trx, deps, {
      actor: { kind: "anonymous" },
      caller,
      subject: { kind: "oauth-client", id },
      action: "oauth-client.registered",
      after: show(row),
    });
  });
  const body = { ...show(row), ...(hasSecret && shownSecret(secret)) };
  return {
    status: 201,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
    body: JSON.stringify(body),
  };
};

/** Registers a client (RFC 7591), with a token of an admin, or without one where the options allow it. */
export const oauthRegister: ProtocolHandler<"oauthRegister"> = async (deps, call) => {
  const { allowDynamicClientRegistration: isOn, allowUnauthenticatedClientRegistration: isOpen } =
    deps.config.oauthProvider;
  if (!isOn) return { protocol: problem(403, "access_denied", "registration is off") };
  const unauthorized = (description: string): ProtocolAnswer => {
    const refused = problem(401, "invalid_token", description);
    return { ...refused, headers: { ...refused.headers, "www-authenticate": "Bearer" } };
  };
  if (call.protocol.headers["authorization"] === undefined && !isOpen)
    return { protocol: unauthorized("a registration token is required") };
  try {
    return { protocol: await register(deps, call) };
  } catch (error) {
    if (error instanceof UnknownToken)
      return { protocol: unauthorized("the registration token is unknown, used or expired") };
    if (error instanceof RegistrationError)
      return { protocol: problem(400, error.code, error.message) };
    throw error;
  }
};

const dayMilliseconds = 86_400_000;

/** Creates a token with which one client registers itself within a week. */
export const createOauthRegistrationToken: Handler<"createOauthRegistrationToken"> = async (
  deps,
  { caller, session },
) => {
  if (!deps.config.oauthProvider.allowDynamicClientRegistration)
    throw new WireError("INVALID_REQUEST");
  const token = `lk_reg_${randomToken(43, "urlSafe")}`;
  const hash = hashToken(token);
  const createdAt = new Date(deps.clock());
  const expiresAt = new Date(deps.clock() + 7 * dayMilliseconds);
  const { id: userId } = session.user;
  await deps.db.transaction().execute(async (trx) => {
    await insertArtifacts(trx, [
      {
        hash,
        kind: "RegistrationToken",
        grantId: null,
        clientId: null,
        userId,
        payload: "{}",
        createdAt,
        expiresAt,
        consumedAt: null,
        answerSealed: null,
      },
    ]);
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: userId },
      caller,
      subject: { kind: "user", id: userId },
      action: "oauth-registration-token.created",
      after: { expiresAt: expiresAt.toISOString() },
    });
  });
  return { reply: { token, expiresAt } };
};
